import { greeting, paragraph, subjectOf } from '../blocks.ts';
import type { EmailContent, EmailContext, UnmergedMail } from '../mail.ts';

/** The link to the billing page, after the subscriber replaced it or opened an old one. */
export const billingLink: UnmergedMail = {
  content,
  needs: 'billing page',
};

function content(context: EmailContext): EmailContent {
  const { plan, seller, facts, billingUrl } = context;
  const lead = ['Here is the link to your subscription to ', { strong: plan }, ' of ', { strong: seller }];
  return {
    subject: subjectOf(context, 'the link to your subscription'),
    preheader: 'On its page you see the state, the next payment and the invoices.',
    heading: 'The link to your subscription',
    blocks: [
      greeting(facts),
      ...(billingUrl === undefined
        ? [paragraph(['The page of your subscription was closed. Ask ', { strong: seller }, ' about it.'])]
        : [
            paragraph([...lead, '. Earlier links that were replaced do not work any more.']),
            { kind: 'button' as const, label: 'Open the page', url: billingUrl },
            paragraph('Whoever has the link can see and change what is on the page. Keep it to yourself.'),
          ]),
    ],
  };
}
