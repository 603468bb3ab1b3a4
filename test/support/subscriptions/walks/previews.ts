/** A change of plan beside its preview: the answer, and the records that the change and the steps after it left. */
import { dueMinor } from '../../../../functions/invoices/due.ts';
import type { Invoice } from '../../../../functions/invoices/invoice.ts';
import { type Answered, call } from '../../call.ts';
import { clientOf, storedSubscription } from '../stored-state.ts';
import type { Command } from './commands.ts';
import { allSubscriptions, runTimers, type World } from './world.ts';

const stored = async ({ shop: { seller }, externalId }: Command, id: string) => {
  const { subscription, invoices } = await storedSubscription(seller, externalId, id);
  const { credit = {} } = (await clientOf(seller, externalId)) ?? {};
  return { subscription, invoices, creditMinor: credit[subscription.plan.currency] ?? 0 };
};

const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());

/** Changes a plan by `change`, and expects exactly the effect that a preview shows before. */
export async function changeAsPreviewed(
  world: World,
  command: Command,
  change: () => Promise<Answered | undefined>,
): Promise<void> {
  const { shop, id = '', body, isForeign } = command;
  if (isForeign) {
    await change();
    return;
  }
  const { status, body: shown } = await call('subscriptions.change-preview', shop.seller.callFor(id, body));
  const isLate = (await allSubscriptions(world)).some(({ timer }) => timer && timer.dueAtMs <= Date.now());
  const before = await stored(command, id);
  const answer = await change();
  expect(answer?.status).toBe(status);
  if (status !== 200) return;
  const { preview } = shown;
  expect(answer?.body.change).toEqual(preview);
  // Steps that were late have effects of their own.
  if (isLate) return;
  await runTimers(world);
  const { subscription, invoices, creditMinor } = await stored(command, id);
  const issued = invoices.filter(({ n }) => n > before.subscription.invoiceCount);
  const open = issued.filter((invoice) => invoice.status === 'open');
  const amounts = {
    due: Math.round(preview.amountDue * 100),
    credit: Math.round(preview.creditChange * 100),
    dueAt: preview.dueAt,
    endDate: preview.endDate,
  };
  expect({
    due: open.reduce((sum, invoice) => sum + dueMinor(invoice), 0),
    credit: creditMinor - before.creditMinor,
    dueAt: iso(open.map(({ dueAtMs }) => dueAtMs).toSorted((a, b) => a - b)[0]),
    endDate: iso(subscription.termEndMs),
  }).toEqual(amounts);
  expectLines(preview, issued);
}

/** The lines of a preview are those that a credit note credits, if there is one, and those of the invoices. */
export function expectLines(
  { lines }: { readonly lines: readonly { readonly amount: number }[] },
  issued: readonly Pick<Invoice, 'lines'>[],
): void {
  const invoiced = issued.flatMap((invoice) => invoice.lines);
  const credited = lines.slice(0, lines.length - invoiced.length);
  expect(lines.slice(credited.length)).toEqual(
    invoiced.map(({ description, quantity, amountMinor }) => ({
      description,
      quantity,
      amount: amountMinor / 100,
    })),
  );
  expect(credited.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(0);
}
