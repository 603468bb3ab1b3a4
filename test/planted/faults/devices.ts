import type { PlantedFault } from '../fault.ts';

export const faultsOfDevices: readonly PlantedFault[] = [
  {
    name: 'the attempts at a code are not limited',
    file: 'functions/shared/auth/one-time-codes.ts',
    find: "OR contains(tries, :try) OR size(tries) < :maxOfOthers'",
    replace: "OR contains(tries, :try) OR size(tries) < :maxOfOthers OR size(tries) >= :maxOfOthers'",
    caughtBy: { tests: ['test/handlers/functions/devices/attacks'] },
  },
  {
    name: 'a code has one attempt more',
    file: 'functions/shared/auth/one-time-codes.ts',
    find: 'size(tries) < :max AND',
    replace: 'size(tries) <= :max AND',
    caughtBy: {
      tests: ['test/handlers/functions/devices/attacks', 'test/handlers/functions/devices/trust.test.ts'],
    },
  },
  {
    name: 'a code has one attempt less',
    file: 'functions/shared/auth/one-time-codes.ts',
    find: 'const maxAttempts = 5;',
    replace: 'const maxAttempts = 4;',
    caughtBy: { tests: ['test/handlers/functions/devices/trust.test.ts'] },
  },
  {
    name: 'an expired code works',
    file: 'functions/shared/auth/one-time-codes.ts',
    find: 'export const codeLifetimeMs = 5 * minuteMs;',
    replace: 'export const codeLifetimeMs = 6 * minuteMs;',
    caughtBy: { tests: ['test/handlers/functions/devices/trust.test.ts'] },
  },
  {
    name: 'a code is stored as it is mailed',
    file: 'functions/shared/auth/one-time-codes.ts',
    find: 'codeHash: await codeHash(own, codeId, code),',
    replace: 'code, codeHash: await codeHash(own, codeId, code),',
    caughtBy: { promise: 'A code cannot be read from the table.' },
  },
  {
    name: 'any code is right',
    file: 'functions/shared/auth/one-time-codes.ts',
    find: 'return timingSafeEqual(await codeHash(slot, codeId, code), hash) ? codeId : undefined;',
    replace: 'return hash ? codeId : undefined;',
    caughtBy: { tests: ['test/handlers/functions/devices/trust.test.ts'] },
  },
  {
    name: 'a code is not consumed',
    file: 'functions/devices/store.ts',
    find: '...codeConsumption(code, nowMs),',
    replace: '',
    caughtBy: {
      promise:
        'A code works once, for the address and purpose that it was sent for, and for a device that was checked in for the user of that address.',
    },
  },
  {
    name: 'a revocation meanwhile does not keep a device from being trusted',
    file: 'functions/devices/store.ts',
    find: "ConditionExpression: 'expiresAtMs > :now',\n          ExpressionAttributeValues: { ':now': nowMs },\n",
    replace: '',
    caughtBy: {
      tests: [
        'test/handlers/functions/devices/states.test.ts',
        'test/handlers/functions/devices/trust-transaction.test.ts',
      ],
    },
  },
  {
    name: 'the address of a user is replaced by the next one that is verified',
    file: 'functions/devices/store.ts',
    find: "open: 'attribute_not_exists(email) OR email = :email',",
    replace: "open: 'attribute_not_exists(email) OR attribute_exists(email)',",
    caughtBy: {
      tests: ['test/handlers/functions/devices/attacks', 'test/handlers/functions/devices/trust.test.ts'],
    },
  },
  {
    name: 'whoever verifies an address enrols as a user of the operator',
    file: 'functions/devices/store.ts',
    find: "known: 'attribute_exists(createdAtMs) AND email = :email',",
    replace: "known: 'attribute_not_exists(email) OR email = :email',",
    caughtBy: { promise: 'With `enrolment: known`, a stranger cannot take a `userId`.' },
  },
  {
    name: 'a new security stamp meanwhile does not keep a device from being trusted',
    file: 'functions/devices/store.ts',
    find: "securityStamp === undefined ? 'attribute_not_exists(securityStamp)' : 'securityStamp = :stamp'",
    replace: "securityStamp === undefined ? 'attribute_not_exists(otherStamp)' : 'securityStamp = :stamp'",
    caughtBy: { tests: ['test/handlers/functions/devices/trust-transaction.test.ts'] },
  },
  {
    name: 'the alert is not in the transaction',
    file: 'functions/devices/store.ts',
    find: '{ Put: { Item: { ...alertKey(alert), ...alert } } },',
    replace: '',
    caughtBy: { promise: 'The owner gets a mail about each new device, also when the function dies.' },
  },
  {
    name: 'the least recently used of 100 devices stays',
    file: 'functions/devices/store.ts',
    find: '[...selectReplaced(inEffect), ...ended',
    replace: '[...ended',
    caughtBy: { tests: ['test/handlers/functions/devices/list.test.ts'] },
  },
  {
    name: 'a device that is verified again need not present its proof any more',
    file: 'functions/devices/store.ts',
    find: 'credential.deviceProofPresented || kept?.deviceProofPresented',
    replace: 'credential.deviceProofPresented',
    caughtBy: { tests: ['test/handlers/functions/vault/device-proof.test.ts'] },
  },
  {
    name: 'device-check takes a trusted device for one whose proof it need not see',
    file: 'functions/devices/store.ts',
    find: "(presented.kind === 'none' ? !mustProve(device) : isProofOf(device, presented))",
    replace: 'presented.kind !== undefined',
    caughtBy: { tests: ['test/handlers/functions/vault/device-proof.test.ts'] },
  },
  {
    name: 'quarantined devices are removed without a limit for a check',
    file: 'functions/devices/device.ts',
    find: 'maxRemovedPerCheck: 25,',
    replace: 'maxRemovedPerCheck: 250,',
    caughtBy: { tests: ['test/handlers/functions/devices/attacks'] },
  },
  {
    name: 'a failed cleanup fails the sign-in',
    file: 'functions/devices/check.ts',
    find: ".catch((cause: unknown) => recordProblem('excess quarantined devices were not removed', cause));",
    replace: ';',
    caughtBy: { tests: ['test/handlers/functions/devices/attacks'] },
  },
  {
    name: 'a code that may have been mailed is withdrawn',
    file: 'functions/devices/code-send.ts',
    find: 'if (!(error instanceof MailPossiblySent)) await withdrawCode(stored, codeId);',
    replace: 'await withdrawCode(stored, codeId);',
    caughtBy: {
      tests: [
        'test/handlers/functions/devices/code-mail-lost.test.ts',
        'test/handlers/functions/devices/code-send.test.ts',
      ],
    },
  },
  {
    name: 'a code that was not mailed stays valid',
    file: 'functions/devices/code-send.ts',
    find: 'if (!(error instanceof MailPossiblySent)) await withdrawCode(stored, codeId);',
    replace: '',
    caughtBy: { tests: ['test/handlers/functions/devices/code-send.test.ts'] },
  },
  {
    name: 'a code that was stored since is withdrawn',
    file: 'functions/shared/auth/one-time-codes.ts',
    find: "ConditionExpression: 'codeId = :codeId AND attribute_exists(codeHash)'",
    replace: "ConditionExpression: '(codeId = :codeId OR codeId <> :codeId) AND attribute_exists(codeHash)'",
    caughtBy: { tests: ['test/handlers/functions/devices/code-send.test.ts'] },
  },
  {
    name: 'an alert is sent without its lease',
    file: 'functions/devices/alerts/store.ts',
    find: "ConditionExpression: 'leasedUntilMs = :previous AND leasedUntilMs <= :now'",
    replace:
      "ConditionExpression: 'leasedUntilMs <> :previous OR leasedUntilMs = :previous OR leasedUntilMs <= :now'",
    caughtBy: { tests: ['test/handlers/functions/devices/send-alerts.test.ts'] },
  },
  {
    name: 'an alert that may have been sent is sent again at once',
    file: 'functions/devices/alerts/deliver.ts',
    find: 'if (!(error instanceof MailPossiblySent))\n',
    replace: 'if (error)\n',
    caughtBy: { tests: ['test/handlers/functions/devices/alerts'] },
  },
  {
    name: 'a refused alert counts as a possible copy',
    file: 'functions/devices/alerts/store.ts',
    find: "':copies': alert.possibleCopies - 1,",
    replace: "':copies': alert.possibleCopies,",
    caughtBy: { tests: ['test/handlers/functions/devices/alerts'] },
  },
  {
    name: 'an alert is given up without being removed',
    file: 'functions/devices/send-alerts.ts',
    find: 'await deps.alerts.remove(alert);',
    replace: '',
    caughtBy: { tests: ['test/handlers/functions/devices/send-alerts.test.ts'] },
  },
  {
    name: 'the timer reads the first page of a shard only',
    file: 'functions/devices/send-alerts.ts',
    find: 'startAfter = page.next;',
    replace: 'startAfter = undefined;',
    caughtBy: { tests: ['test/handlers/functions/devices/send-alerts.test.ts'] },
  },
  {
    name: 'devices are listed without a proof where the deployment requires one',
    file: 'functions/shared/auth/proven-caller.ts',
    find: 'return env.deviceManagementProof() ? authenticateProof(context, userIdOf(context)) : undefined;',
    replace: 'return undefined;',
    caughtBy: {
      promise:
        'With `deviceManagementProof`, no device is listed or removed without a trusted device and the proof of the master password.',
    },
  },
];
