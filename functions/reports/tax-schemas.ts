import * as z from 'zod/mini';
import { defined } from '../shared/contract/defined.ts';
import { amountCell, amountCells, type Columns, cells } from '../shared/lists/csv.ts';
import { toDecimal } from '../shared/money/money.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import type { ReportRun } from './report-run.ts';
import { type TaxFigures, type TaxRow, taxRows } from './tax.ts';

const described = (description: string) => z.meta({ description });
const amount = (description: string) => z.number().check(described(description));

export const Row = z.object({
  country: z.optional(z.string().check(described('Of the customers. Absent where it is unknown.'))),
  kind: z
    .enum(['standard', 'reverse_charge', 'none'])
    .check(described('`standard`: taxed at `percent`. `none`: no rate was set for the country.')),
  percent: z.optional(z.number().check(described('The rate of `standard`, in per cent.'))),
  oss: z
    .boolean()
    .check(
      described(
        "For the One Stop Shop: taxed in a member state of the European Union other than the seller's, without a VAT id.",
      ),
    ),
  badDebt: z
    .boolean()
    .check(
      described(
        'Given up of uncollectible invoices, less what was paid of it since: the amounts are usually below 0, and reduce those of sales (Directive 2006/112/EC, Article 90). Not with the setting `tax.badDebts: keep`.',
      ),
    ),
  currency: z.string().check(described('ISO 4217.')),
  net: amount('The sales without tax.'),
  tax: amount('The tax.'),
  gross: amount('The sum of `net` and `tax`.'),
  nationalTax: z.optional(
    z
      .object({ currency: z.string(), tax: z.number() })
      .check(described('In the national currency of the seller, as invoices state it.')),
  ),
});
type Row = z.output<typeof Row>;

export const TaxResponse = z.object({
  report: z.object({
    from: z.iso.datetime().check(described('The start of the period.')),
    to: z.iso.datetime().check(described('The end of the period, which is not included.')),
    timeZone: z.string().check(described('In which days begin.')),
    asOf: z.iso.datetime().check(described('The time of the report.')),
    rows: z.array(Row).check(described('By country, kind and rate.')),
  }),
});

export function toTaxResponse(
  { period: { fromMs, toMs }, asOfMs, figures }: ReportRun<TaxFigures>,
  timeZone: string,
): z.output<typeof TaxResponse> {
  return {
    report: {
      from: isoTime(fromMs),
      to: isoTime(toMs),
      timeZone,
      asOf: isoTime(asOfMs),
      rows: taxRows(figures).map(toRow),
    },
  };
}

function toRow({
  kind,
  country,
  percent,
  oss,
  badDebt,
  currency,
  netMinor,
  taxMinor,
  national,
}: TaxRow): Row {
  return {
    kind,
    oss,
    badDebt,
    currency,
    net: toDecimal(netMinor, currency),
    tax: toDecimal(taxMinor, currency),
    gross: toDecimal(netMinor + taxMinor, currency),
    ...defined({
      country,
      percent,
      nationalTax: national && {
        currency: national.currency,
        tax: toDecimal(national.taxMinor, national.currency),
      },
    }),
  };
}

export const taxColumns: Columns<Row> = {
  ...cells('country', 'kind', 'percent', 'oss', 'badDebt', 'currency'),
  ...amountCells('net', 'tax', 'gross'),
  nationalCurrency: ({ nationalTax }) => nationalTax?.currency,
  nationalTax: ({ nationalTax }) => nationalTax && amountCell(nationalTax.tax, nationalTax.currency),
};
