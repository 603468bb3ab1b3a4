import * as z from 'zod/mini';
import { operatorScopeNames, operatorScopes } from '../../shared/contract/operator-scopes.ts';

export const described = (description: string) => z.meta({ description });
export const Scope = z.enum(operatorScopeNames).check(
  described(
    Object.entries(operatorScopes)
      .map(([scope, actions]) => `\`${scope}\`: ${actions}.`)
      .join(' '),
  ),
);
