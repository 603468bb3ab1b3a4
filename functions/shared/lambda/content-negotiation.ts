import * as z from 'zod/mini';
import { jsonType } from '../contract/headers.ts';
import { Reply } from '../contract/route.ts';

/**
 * Selects the offered media type that `Accept` prefers. When the header is missing, malformed or matches no offer, it
 * is the first offer: a response in another format is more useful than none (RFC 9110 section 12.4.1 leaves that to the
 * server).
 *
 * The weight of a type is that of the most specific range that matches it. Of equal weights, the first offer wins.
 * https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
 */
export function preferredType<T extends string>(accept: string | undefined, offers: readonly [T, ...T[]]): T {
  const ranges = (accept ?? '').split(',').map(rangeOf);
  const candidates = offers.map((offer) => ({ offer, weight: weightOf(offer, ranges) }));
  return candidates.reduce((best, candidate) => (candidate.weight > best.weight ? candidate : best), {
    offer: offers[0],
    weight: 0,
  }).offer;
}

interface Range {
  type: string;
  weight: number;
}

/** Parses `text/html;level=1;q=0.7`. Parameters other than the weight are ignored: no offer has any. */
function rangeOf(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const [, weight] =
    parameters.map((parameter) => /^q=(.*)$/.exec(parameter)).find((match) => match !== null) ?? [];
  if (weight === undefined) return { type, weight: 1 };
  // RFC 9110 section 12.4.2. An invalid weight counts as 0.
  return { type, weight: /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0 };
}

function weightOf(offer: string, ranges: readonly Range[]): number {
  const [kind] = offer.split('/', 1);
  const matching = [offer, `${kind}/*`, '*/*']
    .map((type) => ranges.filter((range) => range.type === type))
    .find((ranges) => ranges.length > 0);
  return Math.max(0, ...(matching ?? []).map(({ weight }) => weight));
}

/** The first type that `Accept` names. API Gateway decides by it alone whether it decodes bytes. */
export const firstType = (accept = ''): string => rangeOf(accept.split(',', 1).join()).type;

export function documentType(
  accept: string | undefined,
): 'application/json' | 'text/html' | 'application/pdf' {
  const acceptsBytes = firstType(accept) === 'application/pdf';
  const offers = ['application/json', 'text/html'] as const;
  return preferredType(accept, acceptsBytes ? [...offers, 'application/pdf'] : offers);
}

/** The JSON of an endpoint that has other formats too: a cache must not serve one caller's format to another. */
export function jsonReply(schema: z.ZodMiniType, body: unknown): Reply {
  return new Reply(200, {
    headers: { 'content-type': jsonType, vary: 'accept' },
    body: JSON.stringify(schema.parse(body)),
  });
}

export const AcceptHeaders = z.object({ accept: z.optional(z.string()) });
