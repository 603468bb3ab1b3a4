import * as z from 'zod/mini';
import { ApiError } from '../contract/errors.ts';
import type { OtherResponse } from '../contract/headers.ts';
import { commonErrors, unlimitedErrors } from '../contract/route.ts';
import { cursorField, limitField, nextCursorField } from '../fields/page.ts';
import { wellFormed } from '../fields/well-formed.ts';
import { AcceptHeaders } from '../lambda/content-negotiation.ts';
import { dayMs, optionalIsoTime } from '../runtime/clock.ts';
import { dayStartMs, isoDay } from '../runtime/time-zone.ts';

const maxListLimit = 100;

/** The parameter `status`: one or several, with commas. Its value is the text; see {@link statusesIn}. */
export function statusField(all: readonly string[]) {
  return z.optional(
    z.string().check(
      z.refine(
        (text) => text.split(',').every((status) => all.includes(status)),
        `must be one or several of ${all.join(', ')}, separated by commas`,
      ),
      z.meta({
        pattern: `^(${all.join('|')})(,(${all.join('|')}))*$`,
        description: 'Only records with one of these statuses, separated by commas. Default: all.',
        examples: [all.slice(0, 2).join(',')],
      }),
    ),
  );
}

/** The statuses in the text of {@link statusField}, each once and in the order of `all`. */
export function statusesIn<T extends string>(text: string | undefined, all: readonly T[]): readonly T[] {
  const named = text?.split(',');
  return named === undefined ? all : all.filter((status) => named.includes(status));
}

const dayPattern = /^\d{4}-\d\d-\d\d$/;

/** Whether the end of a period is a day. The other ends are times. */
export const isDay = (dayOrTime: string): boolean => dayPattern.test(dayOrTime);

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

/** Whether a text is a day of the calendar or a time of it. `Date.parse` accepts the 31st of February. */
function isDayOrTime(text: string): boolean {
  if (!dayPattern.test(text) && !timePattern.test(text)) return false;
  const day = text.slice(0, 'yyyy-mm-dd'.length);
  const startMs = Date.parse(day);
  const isDay = !Number.isNaN(startMs) && new Date(startMs).toISOString().startsWith(day);
  return isDay && isInRange(Date.parse(text));
}

/** The years of a calendar. Before the year 0 and after 9999, ISO times do not sort as text. */
const isInRange = (ms: number) => ms >= 0 && ms < Date.UTC(9_999, 0);

export const dayOrTime = (description: string) =>
  z.optional(
    z
      .string()
      .check(
        z.refine(isDayOrTime, 'must be a day such as 2026-11-01, or a time with its offset'),
        z.meta({ description, examples: ['2026-11-01'] }),
      ),
  );

/** The parameters `from` and `to`. @param what of a record is meant: `the creation`. @param clock across applications: UTC. */
export const periodFields = (what: string, clock = 'the time zone of the seller (setting `timeZone`)') => ({
  from: dayOrTime(`The first day or time, by ${what}. Days are those of ${clock}.`),
  to: dayOrTime(`The last day, which is included; or a time, which is not. By ${what}.`),
});

/** A period in epoch milliseconds; `toMs` is not included. */
export interface Period {
  fromMs?: number;
  toMs?: number;
}

interface PeriodQuery {
  from?: string | undefined;
  to?: string | undefined;
}

/**
 * The period of {@link periodFields}: a last day is included as a whole.
 *
 * @param timeZone in which days begin; UTC by default.
 * @throws ApiError `invalid_request` when the period ends before it begins.
 */
export function periodOf({ from, to }: PeriodQuery, timeZone?: string): Period {
  const period: Period = {};
  if (from !== undefined) period.fromMs = startMs(from, timeZone);
  if (to !== undefined) period.toMs = startMs(isDay(to) ? dayAfter(to) : to, timeZone);
  const { fromMs = -Infinity, toMs = Infinity } = period;
  // A last day is included: what begins at its end begins after it.
  const isAfter = isDay(to ?? '') ? fromMs >= toMs : fromMs > toMs;
  if (isAfter) throw new ApiError('invalid_request', { details: { from: 'must not be after `to`' } });
  return period;
}

const startMs = (dayOrTime: string, timeZone?: string) =>
  isDay(dayOrTime) ? dayStartMs(dayOrTime, timeZone) : Date.parse(dayOrTime);

const dayAfter = (day: string) => isoDay(Date.parse(day) + dayMs);

/** The period as places in a list: ISO times, of which `to` is not included. @throws ApiError as {@link periodOf} does. */
export function placesOf(query: PeriodQuery, timeZone?: string) {
  const { fromMs, toMs } = periodOf(query, timeZone);
  return { from: optionalIsoTime(fromMs), to: optionalIsoTime(toMs) };
}

export const pageFields = {
  limit: limitField(maxListLimit, 'The maximum number of items. Default: 100.'),
  cursor: cursorField,
};

export const externalIdField = (description: string) =>
  z.optional(z.string().check(z.minLength(1), z.maxLength(128), wellFormed, z.meta({ description })));

export const planIdField = z.optional(
  z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(128),
      z.meta({ description: 'Only records of this plan. Pages can be shorter: see the description.' }),
    ),
);

export const onlyField = (description: string) =>
  z.optional(z.literal('true').check(z.meta({ description })));

export const csvResponse: OtherResponse = {
  status: 200,
  description:
    'The same page as CSV (RFC 4180), with a header row, if `Accept` prefers `text/csv`. Amounts are numbers, with a dot and all decimals of their currency, which has a column. A record with amounts in several currencies has a row for each. A text that a spreadsheet would take for a formula gets an apostrophe in front, whether the spreadsheet separates cells by commas, semicolons or tabs. `Link` leads to the next page.',
  mediaType: 'text/csv',
  headers: ['vary', 'link'],
};

export const pagesDescription = `\
A record keeps its place when it changes. No record is on two pages, and a record that matches throughout appears on exactly one page.
A new record, or a new status, shows in the list within moments.

A request looks at 5,000 records at most. With filters that few records match, a page can have fewer than \`limit\` records,
or none, and still have a \`nextCursor\`.`;

/** Common to all lists of an application. */
export const sellerListRoute = {
  method: 'GET',
  auth: 'seller',
  operatorScope: 'finance',
  concurrentRateLimit: true,
  headers: AcceptHeaders,
  responseHeaders: ['vary'],
  otherResponses: [csvResponse],
  errors: { ...commonErrors, also: ['invalid_token', 'not_found'] },
} as const;

/** Common to the lists of operators, across applications. */
export const operatorListRoute = {
  method: 'GET',
  auth: 'operator',
  headers: AcceptHeaders,
  responseHeaders: ['vary'],
  otherResponses: [csvResponse],
  errors: { ...unlimitedErrors, also: ['invalid_token'] },
} as const;

export const indexes = { listed: ['LIST'] } as const;

export const nextCursor = nextCursorField('Present when there may be more.');
