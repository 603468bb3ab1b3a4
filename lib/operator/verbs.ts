import { requestVerbs } from './requests.ts';
import type { Verb } from './verb.ts';
import { applicationSettings } from './verbs/application-settings.ts';
import { bankImport } from './verbs/bank-import.ts';
import { bootstrap, retire } from './verbs/bootstrap.ts';
import { listDeadLetters, redriveDeadLetters } from './verbs/dead-letters.ts';
import { findVerbs } from './verbs/find.ts';
import { keyRotate } from './verbs/key-rotate.ts';

/** The verbs, those of one object side by side, in the order in which the API has the objects. */
export const verbs: readonly Verb[] = [
  ...Map.groupBy(
    [
      ...requestVerbs,
      applicationSettings,
      keyRotate,
      bankImport,
      ...findVerbs,
      listDeadLetters,
      redriveDeadLetters,
      bootstrap,
      retire,
    ],
    ({ name }) => name.split(' ', 1).join(),
  ).values(),
].flat();
