import type { PlantedFault } from '../fault.ts';

const actions = 'functions/console-developers/application/actions.ts';
const webhookAction = 'functions/console-developers/webhook-action.ts';
const ofApplications = ['test/handlers/functions/console-developers/applications.test.ts'];
const ofWebhooks = ['test/handlers/functions/console-developers/webhooks.test.ts'];
const ofLastUse = ['test/handlers/functions/applications/last-use.test.ts'];
const shownOnce =
  'The secret of a key that the console creates is shown once, in no address and no log, and a form creates one key.';

export const faultsOfDevelopers: readonly PlantedFault[] = [
  {
    name: 'a form that is sent again shows another secret',
    file: actions,
    find: 'if (stored !== undefined) return stored.keyId;',
    replace: 'if (stored !== undefined) return keyId;',
    caughtBy: { promise: shownOnce },
  },
  {
    name: 'a form that is sent again creates another key',
    file: actions,
    find: 'request === undefined ? [] : [responseWrite',
    replace: 'request !== undefined ? [] : [responseWrite',
    caughtBy: { promise: shownOnce },
  },
  {
    name: 'settings are changed that the page did not show',
    file: actions,
    find: 'if (!isDone && application.revision !== revision)',
    replace: 'if (isDone && application.revision !== revision)',
    caughtBy: {
      promise:
        'A form of the console changes settings whose difference its page showed, once, and with a record of the operator.',
    },
  },
  {
    name: 'a key __proto__ within a patch of settings is dropped silently',
    file: 'functions/applications/schemas.ts',
    find: '!hasDroppedKey(patch, 20)',
    replace: '!hasDroppedKey(patch, 0)',
    caughtBy: { tests: [...ofApplications, 'test/handlers/functions/applications/applications.test.ts'] },
  },
  {
    name: 'support creates keys of applications',
    file: 'functions/console-developers/action.ts',
    find: "consoleEndpoint(route, 'admin', actOnApplication)",
    replace: "consoleEndpoint(route, 'support', actOnApplication)",
    caughtBy: { tests: ofApplications },
  },
  {
    name: 'a form retries a delivery that has failed again',
    file: webhookAction,
    find: "status !== 'succeeded' && retries === seen",
    replace: 'status !== undefined && retries >= 0',
    caughtBy: { tests: ofWebhooks },
  },
  {
    name: 'an old form sends a test event',
    file: webhookAction,
    find: 'if (eventCount !== seen) throw',
    replace: 'if (seen < 0) throw',
    caughtBy: { tests: ofWebhooks },
  },
  {
    name: 'the last use of a key is forgotten with the window of its limit',
    file: 'functions/shared/auth/application-use.ts',
    find: 'expirySeconds(nowMs + keptMs),',
    replace: 'expirySeconds(nowMs + secondMs),',
    caughtBy: { tests: ofLastUse },
  },
  {
    name: 'a token of a user is noted as a key of the application',
    file: 'functions/shared/auth/bearer.ts',
    find: 'countedApplication({ applicationId })',
    replace: 'countedApplication(record)',
    caughtBy: { tests: ofLastUse },
  },
  {
    name: 'every refused request costs a second write',
    file: 'functions/shared/auth/application-use.ts',
    find: '< minuteMs) return;',
    replace: '< 0) return;',
    caughtBy: { tests: ofLastUse },
  },
];
