import type { Application } from '../../shared/accounts/applications.ts';
import { defaultSettings } from '../../shared/accounts/default-settings.ts';
import { defined } from '../../shared/contract/defined.ts';
import type { Subscription } from './subscription.ts';

/** An application as named on invoices and in mails, with what its invoices need of its settings. */
export function sellerDetails({ name, settings }: Application): Subscription['seller'] {
  const { banking, seller: legal, tax, invoices, timeZone } = settings;
  const { invoicePrefix, creditNotePrefix } = defaultSettings.invoices;
  const series =
    invoices?.numbering === 'seller'
      ? {
          invoicePrefix: invoices.invoicePrefix ?? invoicePrefix,
          creditNotePrefix: invoices.creditNotePrefix ?? creditNotePrefix,
        }
      : undefined;
  const pricesInclude = tax?.pricesInclude ?? defaultSettings.tax.pricesInclude;
  const reverseCharge = tax?.reverseCharge ?? defaultSettings.tax.reverseCharge;
  const { withoutRate, nationalCurrency, exchangeRates } = tax ?? {};
  const badDebts = tax?.badDebts === 'keep' ? tax.badDebts : undefined;
  const taxSettings = tax && {
    rates: tax.rates ?? [],
    pricesInclude,
    reverseCharge,
    ...defined({ withoutRate, nationalCurrency, exchangeRates, badDebts }),
  };
  return { name, ...defined({ banking, legal, tax: taxSettings, series, timeZone }) };
}
