import { commandOf } from '../../console/contracts/command.ts';
import { type Choices, operationForm } from '../../console/operations/form.ts';
import { day, facts, idText, moment, section } from '../../console/pages/blocks.ts';
import { filterForm } from '../../console/pages/lists.ts';
import { pager } from '../../console/pages/table.ts';
import { type Answer, show, type Visit, withQuery } from '../../console/pages/visit.ts';
import { type Payment, unappliedMinor } from '../../ledger/payment.ts';
import { applyRoute } from '../../payments/contracts/payments.ts';
import type { ReceivablesFigures } from '../../reports/ages.ts';
import type { MonthFigures } from '../../reports/revenue-parts.ts';
import type { Application } from '../../shared/accounts/applications.ts';
import { html, type Markup } from '../../shared/html/markup.ts';
import { formatAmount } from '../../shared/money/format.ts';
import { utc } from '../../shared/runtime/time-zone.ts';
import type { Candidate } from '../../statements/import/statement.ts';
import type { WaitingPayment } from '../../statements/import/waiting.ts';
import { candidateText, differenceText, exactCandidate, joined } from './candidates.ts';
import { receivablesSection, recurringSection } from './report-sections.ts';

/** The figures of an application. */
export interface MoneyFigures {
  application: Pick<Application, 'applicationId' | 'name'>;
  waiting: { payments: readonly WaitingPayment[]; nextCursor: string | undefined };
  receivables: ReceivablesFigures | 'preparing';
  recurring: readonly MonthFigures[] | 'preparing';
}

export function moneyPage(
  visit: Visit,
  { application, waiting, receivables, recurring }: MoneyFigures,
): Markup {
  return html`<h1>Money</h1>
${facts([
  ['Application', application.name],
  ['Id', idText(application.applicationId)],
])}
${section(
  'waiting',
  'Unapplied payments',
  html`${waiting.payments.length === 0 ? html`<p>No unapplied payments.</p>` : waiting.payments.map((one) => waitingPayment(visit, one, application))}
${pager(visit, waiting.nextCursor)}
<p class="more"><a href="${visit.href(`${visit.path}/statements`)}">Bank statements</a></p>`,
)}
${receivablesSection(receivables)}
${recurringSection(recurring)}
${filesSection(visit)}`;
}

const applyPayment = commandOf('payments', 'apply', applyRoute);

function waitingPayment(
  visit: Visit,
  { payment, candidates }: WaitingPayment,
  { applicationId }: MoneyFigures['application'],
): Markup {
  const { currency, payer = {}, paymentId } = payment;
  const money = { amountMinor: unappliedMinor(payment), currency };
  const waits = formatAmount(money.amountMinor, currency);
  return html`<h3>${waits}</h3>
${facts([
  ['Payment', idText(paymentId)],
  ['Value date', day(payment.valueAtMs, utc)],
  ['Recorded', moment(payment.recordedAtMs)],
  ['Reference', payment.reference],
  ['Payer', joined(payer.name, payer.iban) || undefined],
  ['Client', payment.externalId],
  ['Why it is unapplied', whyWaiting(payment)],
])}
${candidates.length === 0 ? html`<p>No open invoice matches by number, by client, or by amount and payer.</p>` : ''}
${operationForm(visit, applyPayment, {
  title: `Apply ${waits}`,
  fixed: { applicationId, 'path.id': paymentId, 'body.subscriptionId': undefined },
  choices: { 'body.invoiceId': suggested(candidates, money) },
  values: { 'body.invoiceId': exactCandidate(candidates, money)?.invoiceId },
  next: visit.path,
})}`;
}

const whyWaiting = ({ unappliedReason }: Payment) => unappliedReason?.replaceAll('_', ' ');

/** The proposed invoices, the best first. */
const suggested = (
  candidates: readonly Candidate[],
  money: { amountMinor: number; currency: string },
): Choices => ({
  of: candidates.map(
    (one) => [one.invoiceId ?? '', joined(candidateText(one, money), differenceText(money, one))] as const,
  ),
  other: candidates.length === 0 ? 'Invoice id' : 'Another invoice id',
});

function filesSection(visit: Visit): Markup {
  const journal = filterForm(
    visit,
    [
      ['from', 'Journal from', 'date'],
      ['to', 'To (inclusive)', 'date'],
    ],
    { button: 'Download CSV', fixed: { file: 'journal' } },
  );
  const receivables = visit.href(withQuery(visit.path, { file: 'receivables' }));
  return section(
    'files',
    'Files',
    html`${journal}
<p><a href="${receivables}">Download the receivables (CSV)</a></p>`,
  );
}

/** A file that is not made. */
export function fileRefusal(reason: string): Answer {
  return show('No file', html`<h1>The file cannot be made</h1><p role="alert">${reason}</p>`, {
    status: 400,
  });
}
