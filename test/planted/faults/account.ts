import type { PlantedFault } from '../fault.ts';

export const faultsOfAccount: readonly PlantedFault[] = [
  {
    name: 'signing out everywhere writes no event for the applications',
    file: 'functions/account/actions/access.ts',
    find: 'const also = [...ends, sourcesRevocation(session.email, nowMs)];',
    replace: 'const also = [sourcesRevocation(session.email, nowMs)];',
    caughtBy: {
      tests: ['test/handlers/functions/account', 'test/handlers/functions/oauth/consent-events.test.ts'],
    },
  },
  {
    name: 'a session of a former stamp signs out everywhere again',
    file: 'functions/account/actions/access.ts',
    find: "if (found === undefined || !hasCurrentStamp(found.user, session)) return 'done';",
    replace: "if (found === undefined) return 'done';",
    caughtBy: { tests: ['test/handlers/functions/account/account.test.ts'] },
  },
  {
    name: 'a suspended user signs out everywhere',
    file: 'functions/account/actions/access.ts',
    find: "if (userOfSession(session, found.user) === undefined) return 'refused';",
    replace: '',
    caughtBy: { promise: 'A session of a user who was suspended since ends nothing.' },
  },
  {
    name: 'a withdrawal takes the grants of every application',
    file: 'functions/account/actions/access.ts',
    find: 'grant.applicationId === application && isUsable(grant, nowMs)',
    replace: 'isUsable(grant, nowMs)',
    caughtBy: { promise: 'An application that the user withdraws loses all its tokens.' },
  },
  {
    name: 'a withdrawal has no audit record',
    file: 'functions/account/actions/access.ts',
    find: 'withdrawalWrites(userId, { atMs: nowMs }),',
    replace: '[],',
    caughtBy: { promise: 'An application that the user withdraws loses all its tokens.' },
  },
  {
    name: 'removing the others removes them from a device that is gone',
    file: 'functions/account/actions/devices.ts',
    find: "return doneReply(sessionToken, 'gone');",
    replace: '',
    caughtBy: { tests: ['test/handlers/functions/account/account.test.ts'] },
  },
  {
    name: 'removing the others removes this one too',
    file: 'functions/account/actions/devices.ts',
    find: '.filter((deviceId) => deviceId !== body.device)',
    replace: '',
    caughtBy: { tests: ['test/handlers/functions/account/account.test.ts'] },
  },
  {
    name: 'a session shows any user',
    file: 'functions/account/actions/sign-in.ts',
    find: 'users.find(({ userId }) => userId === body.user)',
    replace: 'users.at(-1)',
    caughtBy: { tests: ['test/handlers/functions/account/sign-in.test.ts'] },
  },
  {
    name: 'signing out leaves the session',
    file: 'functions/account/actions/sign-in.ts',
    find: 'await accountSessions.end(sessionToken);',
    replace: '',
    caughtBy: { tests: ['test/handlers/functions/account'] },
  },
  {
    name: 'a removed device stays trusted',
    file: 'functions/shared/auth/trusted-device.ts',
    find: '    { Delete: { Key: keys.trusted(userId, deviceId) } },\n',
    replace: '',
    caughtBy: { promise: 'A device that is removed there is refused at its next vault call.' },
  },
];
