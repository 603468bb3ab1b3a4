import * as z from 'zod/mini';
import { operatorScopeNames, operatorScopes } from '../../shared/contract/operator-scopes.ts';
import { described } from '../../shared/fields/described.ts';

export const Scope = z.enum(operatorScopeNames).check(
  described(
    Object.entries(operatorScopes)
      .map(([scope, actions]) => `\`${scope}\`: ${actions}.`)
      .join(' '),
  ),
);
