import * as z from 'zod/mini';
import { keysOf } from '../contract/defined.ts';
import { memberStates } from '../fields/vat-id.ts';
import type { ApplicationSettings } from './application-settings.ts';

const texts = {
  pkce_required:
    'Authorization codes of this application need PKCE: requests without a code_challenge of the method S256 (RFC 7636) are refused. The setting pkceOptional lifts this for a confidential client.',
  banking_missing:
    'Clients of this application pay by bank transfer, and it has no banking details: invoices, mails and pages do not say to which account. Set settings.banking.',
  tax_without_rate:
    'This application has rates of tax, and none for some member states of the European Union: clients there cannot subscribe, unless they owe the tax themselves, and clients who move there are taxed at your own rate. Choose settings.tax.withoutRate.',
} as const;

const codes = keysOf(texts);

export const Warning = z.object({ code: z.enum(codes), message: z.string() });
type Warning = z.output<typeof Warning>;

export const Warnings = z.array(Warning).check(
  z.meta({
    description: `The request succeeded. Each warning names what is left to do. ${codes.map((code) => `\`${code}\`: ${texts[code]}`).join(' ')}`,
  }),
);

/** For a new application: that its codes need PKCE. */
export function pkceWarnings({ pkceOptional = false }: ApplicationSettings): Warning[] {
  return pkceOptional ? [] : [warning('pkce_required')];
}

/** That no account is known to which clients transfer, and that clients are refused for want of a rate, which nobody has chosen. */
export function settingsWarnings({
  paymentGateway = 'none',
  banking,
  tax: { rates = [], withoutRate } = {},
}: ApplicationSettings): Warning[] {
  const lacksAccount = paymentGateway === 'none' && banking === undefined;
  const rated = new Set(rates.map(({ country }) => country));
  const refuses =
    rates.length > 0 && withoutRate === undefined && [...memberStates].some((state) => !rated.has(state));
  return [
    ...(lacksAccount ? [warning('banking_missing')] : []),
    ...(refuses ? [warning('tax_without_rate')] : []),
  ];
}

const warning = (code: keyof typeof texts): Warning => ({ code, message: texts[code] });
