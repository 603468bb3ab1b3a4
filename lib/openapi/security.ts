import type { Auth } from '../../functions/shared/contract.ts';
import type { SecurityRequirement, SecurityScheme } from './types.ts';

interface Security {
  /** Each entry alone suffices; none at all: the operation is open. */
  readonly requirements: readonly SecurityRequirement[];
  /** What the requirements name. */
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
}

/** How each way of authenticating is described; one that is missing here does not compile. */
export const security: Readonly<Record<Auth, Security>> = {
  none: { requirements: [], schemes: {} },
};
