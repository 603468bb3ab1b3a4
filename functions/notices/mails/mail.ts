import type { MailTemplate, mailRules } from '../../subscriptions/record/mail-rules.ts';
import type { MoneyCause } from '../../subscriptions/record/outbox-entry.ts';
import type { Subscription } from '../../subscriptions/record/subscription.ts';
import type { EmailContent, EmailContext } from './context.ts';

/** A mail about a subscription. The invoice and the credit notes that its entry names are attached. */
interface AnyMail {
  content: (context: EmailContext) => EmailContent;
  /**
   * A mail without what it needs is dropped when it is about to be sent. `due invoice`: its invoice, if it has one, is open, or
   * owed after the end.
   */
  needs?: 'open invoice' | 'due invoice' | 'billing page';
  /** Whether its news was undone before it is sent. It is dropped then: a later mail says what holds. */
  isOutdated?: (
    subscription: Pick<Subscription, 'cancelAtPeriodEnd' | 'autoRenew' | 'status' | 'plannedChange'>,
  ) => boolean;
}

/** A mail whose news a later mail of the same moment can tell. */
export interface MergedMail extends AnyMail {
  /** The news, for the later mail. */
  sentence: (news: NewsInWords) => string;
}

/** A mail whose news is in no other mail. */
export interface UnmergedMail extends AnyMail {
  sentence?: never;
}

/** The declaration that a template has, by what becomes of the mail when another one follows. */
export type MailOf<Template extends MailTemplate> = (typeof mailRules)[Template]['followed'] extends 'merged'
  ? MergedMail
  : UnmergedMail;

/** The facts of a merged mail, with the paid term as it is now. */
interface NewsInWords {
  /** The end of the term or the trial at the time of the change. */
  end: string;
  payment: string;
  /** That the payment arrived, or came back, as the beginning of a sentence. */
  arrived: string;
  cause: MoneyCause | undefined;
  isStated: true | undefined;
  credit: string | undefined;
  /** A sentence about what was taken from the credit, or nothing. */
  taken: string;
  /** Undefined when the term is over: `over` names it then. */
  until: string | undefined;
  over: string;
  seller: string;
}
