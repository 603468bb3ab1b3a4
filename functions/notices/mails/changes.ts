/** Mails about changes of a subscription, other than of its plan. */
import { formatDate, formatTime } from '../../shared/html/text.ts';
import { hasEnded } from '../../subscriptions/record/subscription.ts';
import { atPrice, creditBalance, invoiceAndPayment, line, paragraph, strong } from './blocks.ts';
import type { EmailContent, EmailContext, Mails } from './mail.ts';

export const changes = {
  billing_link: {
    needs: 'billing page',
    content: ({ plan, seller, billingUrl }) => ({
      subject: 'the link to your subscription',
      preheader: 'On its page you see the state, the next payment and the invoices.',
      heading: 'The link to your subscription',
      blocks:
        billingUrl === undefined
          ? [paragraph(line`The page of your subscription was closed. Ask ${strong(seller)} about it.`)]
          : [
              paragraph(
                line`Here is the link to your subscription to ${strong(plan)} of ${strong(seller)}. Earlier links that were replaced do not work any more.`,
              ),
              { kind: 'button', label: 'Open the page', url: billingUrl },
              paragraph('Whoever has the link can see and change what is on the page. Keep it to yourself.'),
            ],
    }),
  },

  cancellation_scheduled: {
    sentence: ({ end }) => `As requested, your subscription was set to end on ${end}.`,
    isOutdated: ({ cancelAtPeriodEnd, status }) => !cancelAtPeriodEnd || hasEnded(status),
    content(context) {
      const { plan, seller } = context;
      const { what, when } = endOf(context);
      const news = { subject: `your subscription ends${when}`, heading: 'Your cancellation is confirmed' };
      const text = `As requested, your subscription to ${plan} of ${seller} ends with its ${what}${when}. Until then you can use it as before, and the cancellation can be undone. It does not renew`;
      const balance = creditBalance(context);
      if (isOfNextTerm(context))
        return confirmation({
          ...news,
          text: `${text}, and no further payment is asked for. If you have an open invoice for a later term, please do not pay it.${balance}`,
        });
      return askingConfirmation(context, {
        ...news,
        text: `${text}.${balance}`,
        open: 'The open invoice of its present term is due as before.',
        settled: 'No further payment is asked for.',
      });
    },
  },

  cancellation_undone: {
    sentence: () => 'The cancellation of your subscription was undone.',
    isOutdated: ({ cancelAtPeriodEnd, status }) => cancelAtPeriodEnd || hasEnded(status),
    content(context) {
      const { plan, seller, subscription } = context;
      const { what, until } = endOf(context);
      const further =
        subscription?.autoRenew === false ? '' : ' You get the invoice of the next term before it begins.';
      const open = isOfNextTerm(context) ? ' The invoice of the next term is due.' : `${further} ${openNow}`;
      return askingConfirmation(context, {
        subject: 'your subscription goes on, the cancellation was undone',
        heading: 'Your subscription goes on',
        text: `The cancellation of your subscription to ${plan} of ${seller} was undone.`,
        open: `Its ${what} lasts${until}.${open}`,
        settled: `Its ${what} lasts${until}.${further}`,
      });
    },
  },

  renewal_off: {
    sentence: () => 'Your subscription was set not to renew.',
    isOutdated: ({ autoRenew, status }) => autoRenew || hasEnded(status),
    content(context) {
      const { plan, seller, facts } = context;
      const end =
        facts.termEndMs === undefined
          ? 'It ends with its first paid term.'
          : `It ends with its paid term${endOf(context).when}. If you have an open invoice for a later term, please do not pay it.`;
      return confirmation({
        subject: 'your subscription does not renew',
        heading: 'Your subscription does not renew',
        text: `Your subscription to ${plan} of ${seller} was set not to renew. ${end}`,
      });
    },
  },

  renewal_on: {
    sentence: () => 'Your subscription was set to renew.',
    isOutdated: ({ autoRenew, status }) => !autoRenew || hasEnded(status),
    content(context) {
      const { plan, seller, facts } = context;
      const eachTerm = 'You get the invoice of each term before it begins.';
      const next = facts.termEndMs === undefined ? '' : ` Its present term lasts${endOf(context).until}.`;
      return askingConfirmation(context, {
        subject: 'your subscription renews',
        heading: 'Your subscription renews',
        text: `Your subscription to ${plan} of ${seller} was set to renew at the end of each term.${next}`,
        open: isOfNextTerm(context) ? 'The invoice of the next term is due.' : `${eachTerm} ${openNow}`,
        settled: eachTerm,
      });
    },
  },

  trial_extended: {
    sentence: ({ end }) => `Your free trial was extended until ${end}.`,
    isOutdated: ({ status }) => hasEnded(status),
    content(context) {
      const { plan, seller, subscription } = context;
      const { until } = endOf(context);
      const news = { subject: `your free trial goes on${until}`, heading: 'Your free trial is longer' };
      const text = `${seller} has extended your free trial of ${plan}: it goes on${until}. Nothing is due before then.`;
      if (subscription?.cancelAtPeriodEnd)
        return confirmation({
          ...news,
          text: `${text} Your subscription is cancelled, and ends with the trial.`,
        });
      const further = `${trialReminder(context)}You can cancel at any time where you use ${seller}.`;
      return askingConfirmation(context, {
        ...news,
        text,
        open: `If you pay the open invoice by then, the paid term follows directly. ${further}`,
        settled: further,
      });
    },
  },

  time_granted: {
    sentence: ({ end }) => `The end of your term was moved to ${end}, at no charge.`,
    isOutdated: ({ status }) => hasEnded(status),
    content(context) {
      const { plan, seller } = context;
      const { when } = endOf(context);
      return askingConfirmation(context, {
        subject: `your term now ends${when}`,
        heading: `Your term is longer`,
        text: `${seller} has extended your term of ${plan}: it now ends${when}.`,
        open: isOfNextTerm(context)
          ? 'The open invoice has a new due date.'
          : 'You pay nothing for it. The open invoice is due as before.',
        settled: 'You pay nothing for it.',
      });
    },
  },

  paused: {
    sentence: () => 'Your subscription is paused.',
    isOutdated: ({ status }) => status !== 'paused',
    content(context) {
      const { plan, seller, facts, subscription } = context;
      const { changesAtMs, resumesAtMs, termEndMs } = facts;
      const on = (ms: number | undefined) => (ms === undefined ? '' : ` on ${formatTime(ms, facts)}`);
      const until = resumesAtMs === undefined ? '' : ` until ${formatTime(resumesAtMs, facts)}`;
      const goesOn =
        resumesAtMs === undefined
          ? `It goes on when you resume it where you use ${seller}.`
          : `It goes on by itself${on(resumesAtMs)}.`;
      const term =
        termEndMs === undefined
          ? ''
          : ` Without the pause, the paid term would end${on(termEndMs)}: it ends later by the time of the pause.`;
      const isOpen = subscription?.openInvoices.some(({ planOnPayment }) => planOnPayment !== undefined);
      const open = isOpen
        ? ' The open invoice of the next term gets a new due date when the pause is over.'
        : '';
      return confirmation({
        subject: `your subscription is paused${until}`,
        heading: 'Your subscription is paused',
        text: `Your subscription to ${plan} of ${seller} was paused${on(changesAtMs)}. ${goesOn}${term} No new invoice is issued during the pause.${open} The price stays as it is: ${atPrice(context)}.`,
      });
    },
  },

  resumed: {
    sentence: ({ until }) =>
      `The pause of your subscription is over.${until === undefined ? '' : ` Its term now ends on ${until}.`}`,
    isOutdated: ({ status }) => status === 'paused' || hasEnded(status),
    content(context) {
      const { plan, seller, facts, nowMs } = context;
      // A step can be late.
      const ends = (facts.termEndMs ?? nowMs) < nowMs ? 'ended' : 'now ends';
      return askingConfirmation(context, {
        subject: 'your subscription goes on, the pause is over',
        heading: 'Your subscription goes on',
        text: `The pause of your subscription to ${plan} of ${seller} is over. Its term was moved by the pause, and ${ends}${endOf(context).when}. Its price is ${atPrice(context)}.`,
        open: isOfNextTerm(context) ? 'The open invoice of the next term has a new due date.' : openNow,
        settled: 'The pause costs nothing.',
      });
    },
  },
} satisfies Partial<Mails>;

type Confirmation = Record<'subject' | 'heading' | 'text', string>;

const openNow = 'An invoice of the present term is open.';

const confirmation = ({ text, ...news }: Confirmation): EmailContent => ({
  ...news,
  preheader: text,
  blocks: [paragraph(text)],
});

/** With an open invoice, the mail also says how to pay it. */
function askingConfirmation(
  context: EmailContext,
  { open, settled, text, ...news }: Confirmation & Record<'open' | 'settled', string>,
): EmailContent {
  const isOpen = context.invoice?.status === 'open';
  const { blocks, ...mail } = confirmation({ ...news, text: `${text} ${isOpen ? open : settled}` });
  return { ...mail, blocks: isOpen ? [...blocks, ...invoiceAndPayment(context)] : blocks };
}

/** Whether the invoice is of a term to come. That of a change of plan is of the present one. */
function isOfNextTerm({ invoice, facts: { termEndMs } }: EmailContext): boolean {
  return termEndMs === undefined || (invoice?.periodStartMs ?? termEndMs) >= termEndMs;
}

function endOf({ facts }: EmailContext): { what: 'term' | 'trial'; when: string; until: string } {
  const { termEndMs, trialEndMs } = facts;
  const endMs = termEndMs ?? trialEndMs;
  return {
    what: termEndMs === undefined ? 'trial' : 'term',
    when: endMs === undefined ? '' : ` on ${formatTime(endMs, facts)}`,
    until: endMs === undefined ? ' until its end' : ` until ${formatTime(endMs, facts)}`,
  };
}

/** The date of the reminder, unless it was sent before the mail. */
function trialReminder({ subscription, facts }: EmailContext): string {
  const { step, dueAtMs = 0 } = subscription?.timer ?? {};
  return step === 'trial_reminder' ? `You get a reminder on ${formatDate(dueAtMs, facts)}. ` : '';
}
