/** The parts of verbs that do not follow from the API: short names, questions, notes. */
import { revocationSeconds } from '../../functions/shared/contract/secret.ts';
import type { OperationId } from '../client/api.ts';
import type { ParsedArguments } from './verb.ts';

export interface Extra {
  /** In place of the name that follows from the id of the operation, which works as well. */
  readonly name?: string;
  /** The question before the request. */
  readonly question?: string | ((fields: ParsedArguments['fields']) => string | undefined);
  /** Shown after the response. */
  readonly note?: string;
  /**
   * The command that makes up for a secret that could not be shown: nobody has seen it. `{names}` stand for fields of the request
   * and of the response.
   */
  readonly unseen?: string;
  /** The names of options by their fields, where the common ones do not fit. */
  readonly options?: Readonly<Record<string, string>>;
  /** The media types of pages by the value of `format`. */
  readonly formats?: Readonly<Record<string, string>>;
}

const secretsOnce = 'Store the secrets now: they are not shown again.';
const secretOnce = 'Store the secret now: it is not shown again.';
const revocation = (more = '') =>
  `Everything that still uses this key stops working within ${revocationSeconds} seconds.${more} Revoke it?`;

/** The data that a reset ends, by the field of the request. */
const endedBy = {
  devices: 'every trusted device, session and token',
  proof: 'the proof of the master password; the next vault write sets another one',
  vault: 'the stored vault, for good, and its proof',
};

/** A field named `url` as an option would send the key elsewhere: `--url` is the address of the API. */
const endpoint = { options: { url: 'endpoint' } };

export const extras: Readonly<Partial<Record<OperationId, Extra>>> = {
  createApplication: { note: secretsOnce, unseen: 'key create {application._id} --kind <kind>' },
  createApplicationKey: { name: 'key create', note: secretsOnce, unseen: 'key revoke {id} {keyId}' },
  revokeApplicationKey: {
    name: 'key revoke',
    question: revocation(' With the last key, the tokens of the application end.'),
  },
  createOperatorKey: {
    note: 'Give the key to its person now: it is not shown again.',
    unseen: 'operator-key revoke {keyId}',
  },
  revokeOperatorKey: { question: revocation() },
  revokeGrant: {
    question: `The tokens of this grant stop working within ${revocationSeconds} seconds. Revoke it?`,
  },
  resetUser: {
    question: (fields) => {
      const ended = Object.entries(endedBy).filter(([name]) => fields[name] === true);
      // The service refuses a reset of nothing.
      if (ended.length === 0) return undefined;
      const lines = ended.map(([, what]) => `  ${what}`);
      return ['This ends:', ...lines, 'It cannot be undone. Reset the user?'].join('\n');
    },
  },
  listUserHistory: { name: 'user history' },
  listUserLinks: { name: 'user links' },
  listSubscriptionMails: { name: 'subscription mails' },
  sendEnrolmentLink: { name: 'user mail-link' },
  upsertSocialAccount: { options: { url: 'page', verificationStatus: 'status' } },
  listAuditRecords: { name: 'audit list' },
  giveUpMail: { name: 'mail give-up' },
  redriveMails: {
    question: 'Mails that SES may have accepted arrive once more. Send all again?',
    note: 'Repeat the command while there are more.',
  },
  searchRecords: { name: 'search' },
  listJournalRecords: { name: 'journal', formats: { hledger: 'text/plain', datev: 'text/csv' } },
  createPayment: { name: 'payment record' },
  payOutCredit: { name: 'credit pay-out', options: { payOutId: 'id' } },
  creditInvoice: { question: 'This issues a credit note, which cannot be taken back. Issue it?' },
  returnPayment: { question: 'This records a return, and moves no money. Was the money sent back?' },
  reversePayment: { question: 'This takes the money from invoices and credit. Did the bank take it back?' },
  reallocatePayment: { question: 'Invoices that lose their payment are open again. Move the money?' },
  confirmBankStatement: { question: 'Record these payments?' },
  createWebhook: { ...endpoint, note: secretOnce, unseen: 'webhook rotate {applicationId} {webhook._id}' },
  updateWebhook: endpoint,
  deleteWebhook: {
    name: 'webhook remove',
    question: 'Pending deliveries are cancelled. Remove the webhook?',
  },
  rotateWebhookSecret: {
    name: 'webhook rotate',
    note: secretOnce,
    unseen: 'webhook rotate {applicationId} {id}',
  },
  listDeliveries: { name: 'webhook deliveries' },
  retryDelivery: { name: 'webhook retry' },
};

/** The decisions about a review, each a verb of its own with its summary. */
export const decisionVerbs = [
  ['review verify', 'verified', 'Verifies a link.'],
  ['review reject', 'rejected', 'Rejects a link.'],
  ['review withdraw', 'withdrawn', 'Withdraws the decision about a link, which is pending again.'],
] as const;

/** The names of options by their fields, where none follows. */
export const optionNames: Readonly<Record<string, string>> = {
  externalId: 'client',
  trialPeriodDays: 'trial-days',
  valueDate: 'date',
};
