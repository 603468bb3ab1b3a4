/** The parts of verbs that the command line alone has: short names, and the next steps of its commands. */
import type { OperationId } from '../client/api.ts';
import type { ParsedArguments } from './verb.ts';

export type Extra = Partial<{
  /** In place of the name that follows from the id of the operation, which works as well. */
  readonly name: string;
  /** The question before the request, where the contract has none. */
  readonly question: string | ((fields: ParsedArguments['fields']) => string | undefined);
  /** Shown after the response. */
  readonly note: string;
  /**
   * The command that makes up for a secret that could not be shown: nobody has seen it. `{names}` stand for fields of the request
   * and of the response.
   */
  readonly unseen: string;
  /** The names of options by their fields, where the common ones do not fit. */
  readonly options: Readonly<Record<string, string>>;
  /** The media types of pages by the value of `format`. */
  readonly formats: Readonly<Record<string, string>>;
}>;

/** The data that a reset ends, by the field of the request. */
const endedBy = {
  devices: 'every trusted device, session and token',
  proof: 'the proof of the master password; the next vault write sets another one',
  vault: 'the stored vault, for good, and its proof',
};

/** A field named `url` as an option would send the key elsewhere: `--url` is the address of the API. */
const endpoint = { options: { url: 'endpoint' } };

export const extras: Readonly<Partial<Record<OperationId, Extra>>> = {
  createApplication: { unseen: 'key create {application._id} --kind <kind>' },
  createApplicationKey: { name: 'key create', unseen: 'key revoke {id} {keyId}' },
  revokeApplicationKey: { name: 'key revoke' },
  createOperatorKey: { unseen: 'operator-key revoke {keyId}' },
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
  redriveMails: { note: 'Repeat the command while there are more.' },
  searchRecords: { name: 'search' },
  listJournalRecords: { name: 'journal', formats: { hledger: 'text/plain', datev: 'text/csv' } },
  createPayment: { name: 'payment record' },
  payOutCredit: { name: 'credit pay-out', options: { payOutId: 'id' } },
  confirmBankStatement: { question: 'Record these payments?' },
  createWebhook: { ...endpoint, unseen: 'webhook rotate {applicationId} {webhook._id}' },
  updateWebhook: endpoint,
  deleteWebhook: { name: 'webhook remove' },
  rotateWebhookSecret: { name: 'webhook rotate', unseen: 'webhook rotate {applicationId} {id}' },
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
const optionNames: Readonly<Record<string, string>> = {
  externalId: 'client',
  trialPeriodDays: 'trial-days',
  valueDate: 'date',
};

/** The verbs of the command line, where they are other ones than those of the API. */
const apiVerbs: Readonly<Record<string, string>> = { get: 'show', upsert: 'put' };

/** The name of a verb: `subscription list` for `listSubscriptions`, `report tax` for `getTaxReport`, `mail redrive-all` for `redriveMails`. */
export function verbName(operationId: string): string {
  const [, report] = /^get(\w+)Report$/.exec(operationId) ?? [];
  if (report !== undefined) return `report ${words(report)}`;
  const [, verb = '', object = ''] = /^([a-z]+)(\w*)$/.exec(operationId) ?? [];
  const isAll = verb !== 'list' && object.endsWith('s');
  return `${singular(words(object))} ${apiVerbs[verb] ?? verb}${isAll ? '-all' : ''}`;
}

/** The name of an option: `billing-cycle` for `billingCycle`, `active` for `isActive`, `id` for the `paymentId` of a payment. */
export function optionNameOf(field: { name: string; type: string }, object: string): string {
  const { name, type } = field;
  const known = optionNames[name];
  if (known !== undefined) return known;
  const option = words(type === 'flag' ? name.replace(/^is(?=[A-Z])/, '') : name.replace(/(?<=.)Id$/, ''));
  if (option === object && option !== words(name)) return 'id';
  return type === 'list' ? singular(option) : option;
}

/** The name of an argument, from the parameter and the part of the path before it: `application` of `applications/{id}`. */
export function argumentName(folder: string, parameter: string): string {
  if (parameter === 'id') return folder.endsWith('s') ? singular(folder) : 'id';
  return optionNames[parameter] ?? words(parameter.replace(/Id$/, ''));
}

/** `billing-cycle` for `billingCycle` and `BillingCycle`. */
const words = (name: string): string =>
  name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/s$/, '');
