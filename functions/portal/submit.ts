import { clientStore } from '../clients/store.ts';
import { lineField } from '../shared/fields/text.ts';
import { redirectReply } from '../shared/html/page.ts';
import { ApiError, endpoint, type Handler, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { type CommandBuilder, executeCommandOn } from '../subscriptions/commands/execute-command.ts';
import { longestName } from './pages/blocks.ts';
import { billingFrame, withBillingErrorPages } from './pages/frame.ts';
import { linkMail, linkMailEntryId, replacementId, requestId } from './pages/link-mail.ts';
import { refusedOldLinkPage } from './pages/old-link-pages.ts';
import { type BillingPageSettings, cancelsAtMs } from './pages/permissions.ts';
import { cannotCancel, cannotUndo, notOffered, periodChanged } from './pages/refusals.ts';
import { resolveAccount, resolveLink } from './pages/resolve-link.ts';
import { periodEndOf } from './pages/state-in-words.ts';
import { type BillingAccount, billingStore } from './pages/store.ts';
import { submitRoute } from './routes.ts';

interface Submission {
  token: string;
  version: number;
  account: BillingAccount;
  settings: BillingPageSettings;
  body: Input<typeof submitRoute>['body'];
  baseUrl: string;
  nowMs: number;
}

type Action = Submission['body']['action'];

const settingOf: Readonly<Partial<Record<Action, keyof BillingPageSettings>>> = {
  cancel: 'cancel',
  undo: 'undoCancel',
  rename: 'invoiceName',
  'replace-link': 'replaceLink',
};

export const submitBilling: Handler<typeof submitRoute, Reply> = async ({
  params: { token },
  body,
  baseUrl,
}) => {
  const { owner, version, isOld } = await resolveLink(token);
  const { account, settings } = await resolveAccount(owner);
  const nowMs = clock.nowMs();
  const submission = { token, version, account, settings, body, baseUrl, nowMs };
  const { action } = body;
  if (isOld && action !== 'mail') return refuseOldLink(submission);
  const setting = settingOf[action];
  if (setting !== undefined && !settings[setting]) {
    return billingFrame.reply(409, notOffered(token, account));
  }
  return actions[action](submission);
};

/** The link was replaced. If the subscriber did that on the page, the form is the second of two clicks. */
async function refuseOldLink(submission: Submission): Promise<Reply> {
  const { token, version, account, body } = submission;
  const { subscriptionId } = account.owner;
  const isRepeated =
    body.action === 'replace-link' &&
    (await billingStore.getMail(subscriptionId, linkMailEntryId(replacementId(version)))) !== undefined;
  if (isRepeated) return backTo(submission, 'replaced');
  return billingFrame.reply(409, refusedOldLinkPage({ token, address: account.client.email }));
}

const actions: Readonly<Record<Action, (submission: Submission) => Promise<Reply>>> = {
  cancel,
  undo,
  rename,
  'replace-link': replaceLink,
  mail,
};

/** Cancels at the end of the period that the page showed. */
async function cancel(submission: Submission): Promise<Reply> {
  const { token, account, settings, body } = submission;
  const confirmedEnd = Number(body.periodEnd);
  let isChanged = false;
  const outcome = await commandOutcome(submission, ({ subscription }) => {
    isChanged = !subscription.cancelAtPeriodEnd && periodEndOf(subscription) !== confirmedEnd;
    const isPossible =
      subscription.cancelAtPeriodEnd || cancelsAtMs(subscription, clock.nowMs()) !== undefined;
    if (isChanged || !isPossible) throw new ApiError('invalid_transition');
    return { event: 'cancel_at_period_end' };
  });
  if (outcome === 'done') return backTo(submission, 'cancelled');
  // Without a period there is no date that could have changed.
  const isOtherPeriod = isChanged && cancelsAtMs(account.subscription, submission.nowMs) !== undefined;
  return billingFrame.reply(
    409,
    isOtherPeriod ? periodChanged(token) : cannotCancel(token, account, settings),
  );
}

/** Undoes the cancellation. Without one there is nothing to do. */
async function undo(submission: Submission): Promise<Reply> {
  const outcome = await commandOutcome(submission, ({ subscription }) =>
    cancelsAtMs(subscription, clock.nowMs()) === undefined ? { event: 'uncancel' } : { kind: 'unchanged' },
  );
  if (outcome === 'done') return backTo(submission, 'undone');
  return billingFrame.reply(409, cannotUndo(submission.token));
}

async function commandOutcome(
  { account }: Submission,
  buildCommand: CommandBuilder,
): Promise<'done' | 'refused'> {
  try {
    await executeCommandOn(account.owner, 'subscriber', buildCommand);
    return 'done';
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_transition') return 'refused';
    throw error;
  }
}

const Name = lineField(longestName);

/** Changes the name of the client, which future invoices and mails have. */
async function rename(submission: Submission): Promise<Reply> {
  const { account, body, nowMs } = submission;
  const name = (body.name ?? '').trim();
  // The page itself shows what is wrong: this function stays small.
  if (!Name.safeParse(name).success)
    return redirectReply(`${submission.baseUrl}/billing/${submission.token}?wrong=name`);
  const isSame = account.client.name === name;
  const isWritten =
    isSame || (await clientStore.rename(account.owner, name, { nowMs, writeId: randomToken() }));
  if (!isWritten) throw new ApiError('not_found');
  return backTo(submission, 'renamed');
}

/** Replaces the link, and mails the new one in the same transaction. */
async function replaceLink(submission: Submission): Promise<Reply> {
  const { version, account, nowMs } = submission;
  const { owner } = account;
  const id = replacementId(version);
  const isReplaced = await billingStore.replaceLinkByMail(owner, linkMail(account, id, nowMs));
  if (!isReplaced) return refuseOldLink(submission);
  return backTo(submission, 'replaced');
}

/** Mails the present link, at most once in an hour. */
async function mail(submission: Submission): Promise<Reply> {
  const { account, nowMs } = submission;
  const id = requestId(nowMs);
  await billingStore.mailLink(linkMail(account, id, nowMs));
  return backTo(submission, 'mailed');
}

function backTo({ baseUrl, token }: Submission, done: string): Reply {
  return redirectReply(`${baseUrl}/billing/${token}?done=${done}`);
}

export const handler = withBillingErrorPages(endpoint(submitRoute, submitBilling));
