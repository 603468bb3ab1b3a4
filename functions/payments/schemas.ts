import * as z from 'zod/mini';
import { described } from '../shared/fields/described.ts';
import { wellFormed } from '../shared/fields/well-formed.ts';

export const id = (what: string) =>
  z.string().check(z.minLength(1), z.maxLength(128), wellFormed, described(`The \`_id\` of ${what}.`));

export const PaymentPath = z.object({ id: z.string().check(z.minLength(1), z.maxLength(128)) });

/** Refuses a body that names none of the fields, or more than one. */
export const exactlyOne = <T extends object>(...names: (keyof T & string)[]) =>
  z.check<T>(({ value, issues }) => {
    const given = names.filter((name) => value[name] !== undefined);
    if (given.length === 1) return;
    const message = `exactly one of ${names.join(', ')} is required`;
    issues.push({ code: 'custom', input: value, message, path: [given[1] ?? names[0] ?? ''] });
  });

export interface Target {
  reference?: string | undefined;
  invoiceId?: string | undefined;
  subscriptionId?: string | undefined;
}
