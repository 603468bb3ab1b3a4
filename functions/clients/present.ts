import type { output } from 'zod/mini';
import { defined } from '../shared/contract/defined.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import type { ClientProfile } from './client.ts';
import type { OneClient } from './schemas.ts';

export function toClientResponse(client: ClientProfile): output<typeof OneClient>['client'] {
  const { externalId, email, name, address, vatId, metadata, createdAtMs, updatedAtMs } = client;
  return {
    externalId,
    email,
    ...defined({ name, address, vatId, metadata: metadata === undefined ? undefined : JSON.parse(metadata) }),
    createdAt: isoTime(createdAtMs),
    updatedAt: isoTime(updatedAtMs),
  };
}
