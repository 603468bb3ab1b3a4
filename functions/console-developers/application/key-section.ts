import { keyIdsByExpiry, maxActiveKeysPerKind } from '../../applications/keys.ts';
import { keyCreateRoute, keyRevokeRoute } from '../../applications/routes.ts';
import { commandOf } from '../../console/contracts/command.ts';
import { operationDetails } from '../../console/operations/form.ts';
import { section, time } from '../../console/pages/blocks.ts';
import { column, table } from '../../console/pages/table.ts';
import type { Visit } from '../../console/pages/visit.ts';
import type { ApplicationKey } from '../../shared/accounts/applications.ts';
import { type ApplicationKeyKind, isUnexpired, keyUseDays } from '../../shared/contract/secret.ts';
import { html, type Markup } from '../../shared/html/markup.ts';
import { keyKinds } from '../words.ts';
import type { Developer } from './read.ts';

interface ListedKey extends ApplicationKey {
  keyId: string;
}

const kinds = ['client_secret', 'api_key'] as const satisfies readonly ApplicationKeyKind[];

/** The keys, the oldest first, with their last use. */
export function keySection(visit: Visit, { application, use, nowMs }: Developer, isAdmin: boolean): Markup {
  const rows = Object.entries(application.keys)
    .map(([keyId, key]): ListedKey => ({ keyId, ...key }))
    .toSorted((a, b) => a.createdAtMs - b.createdAtMs || (a.keyId < b.keyId ? -1 : 1));
  const active = kinds.map((kind) => ({
    kind,
    count: keyIdsByExpiry(application, kind, nowMs).active.length,
  }));
  const counts = active.map(({ kind, count }) => `${keyKinds[kind]}: ${count} of ${maxActiveKeysPerKind}`);
  const free = active.filter(({ count }) => count < maxActiveKeysPerKind).map(({ kind }) => kind);
  const lastUse = ({ keyId }: ListedKey) => {
    const atMs = use.keys.get(keyId);
    return atMs === undefined ? `none in ${keyUseDays} days` : time(atMs);
  };
  const expiry = (key: ListedKey) => {
    if (key.expiresAtMs === undefined) return 'never';
    return isUnexpired(key, nowMs) ? time(key.expiresAtMs) : `${time(key.expiresAtMs)}, expired`;
  };
  const revoke = (key: ListedKey) => revokeForm(visit, application.applicationId, key);
  const keys = table(
    counts.join('. '),
    rows,
    [
      column.block('Secret', ({ hint }) => html`<code>${hint}</code>`),
      column.text('Kind', ({ kind }) => keyKinds[kind]),
      column.time('Created', ({ createdAtMs }) => createdAtMs),
      column.text('Expires', expiry),
      column.text('Last use', lastUse),
      column.id('Id', ({ keyId }) => keyId),
      ...(isAdmin ? [column.block('Revoke', revoke)] : []),
    ],
    'No keys. The application gets no tokens.',
  );
  return section(
    'keys',
    'Keys',
    html`${keys}
<p class="note">The last use is that of a request within the limits. Tokens of OAuth are noted once an hour.</p>
${isAdmin && free.length > 0 ? createForm(visit, application.applicationId, free) : ''}`,
  );
}

const createKey = commandOf('applications', 'key-create', keyCreateRoute);
const revokeKey = commandOf('applications', 'key-revoke', keyRevokeRoute);

function revokeForm(visit: Visit, id: string, { keyId, hint }: ListedKey): Markup {
  return operationDetails(visit, revokeKey, {
    title: `Revoke ${hint}`,
    fixed: { 'path.id': id, 'path.keyId': keyId },
    next: visit.path,
  });
}

/** A kind with two keys has none free. */
function createForm(visit: Visit, id: string, free: readonly ApplicationKeyKind[]): Markup {
  const [only, another] = free;
  const kind = only !== undefined && another === undefined ? { 'body.kind': only } : {};
  return operationDetails(visit, createKey, {
    fixed: Object.assign({ 'path.id': id }, kind),
    next: visit.path,
  });
}
