/** Warnings about an application that is valid and still lacks a setting that most need. */
import * as z from 'zod/mini';
import { memberStates } from '../fields/vat-id.ts';
import type { ApplicationSettings } from './application-settings.ts';

const texts = {
  pkce_required:
    'Authorization codes of this application need PKCE: requests without a code_challenge of the method S256 (RFC 7636) are refused. The setting pkceOptional lifts this for a confidential client.',
  banking_missing:
    'Clients of this application pay by bank transfer, and it has no banking details: invoices, mails and pages do not say to which account. Set settings.banking.',
  tax_without_rate:
    'This application has rates of tax, and none for some member states of the European Union: clients there cannot subscribe, unless they owe the tax themselves. Choose settings.tax.withoutRate.',
} as const;

const codes = Object.keys(texts) as readonly (keyof typeof texts)[];

export const Warning = z.object({ code: z.enum(codes), message: z.string() });
type Warning = z.output<typeof Warning>;

export const Warnings = z.array(Warning).check(
  z.meta({
    description:
      'The request succeeded. Each warning names what is left to do. `pkce_required`: codes of the application need PKCE. `banking_missing`: clients pay by bank transfer, and invoices name no account. `tax_without_rate`: clients in member states without a rate of tax cannot subscribe.',
  }),
);

/** For a new application: that its codes need PKCE. */
export function pkceWarnings({ pkceOptional = false }: ApplicationSettings): Warning[] {
  return pkceOptional ? [] : [warning('pkce_required')];
}

/** For an application with rates: that clients in member states without one are refused, which nobody has chosen. */
export function taxWarnings({ tax: { rates = [], withoutRate } = {} }: ApplicationSettings): Warning[] {
  if (rates.length === 0 || withoutRate !== undefined) return [];
  const rated = new Set(rates.map(({ country }) => country));
  return [...memberStates].every((state) => rated.has(state)) ? [] : [warning('tax_without_rate')];
}

/** For an application whose clients pay by bank transfer: that no account is known. */
export function bankingWarnings({ paymentGateway = 'none', banking }: ApplicationSettings): Warning[] {
  return paymentGateway === 'none' && banking === undefined ? [warning('banking_missing')] : [];
}

const warning = (code: keyof typeof texts): Warning => ({ code, message: texts[code] });
