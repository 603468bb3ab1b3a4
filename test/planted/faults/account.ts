import type { Area } from '../fault.ts';

export const account: Area = {
  'test/handlers/functions/account test/handlers/functions/oauth/consent-events.test.ts': {
    'functions/account/actions/access.ts: signing out everywhere writes no event for the applications': [
      'const also = [...ends, sourcesRevocation(session.email, nowMs)];',
      'const also = [sourcesRevocation(session.email, nowMs)];',
    ],
  },
  'test/handlers/functions/account/account.test.ts test/handlers/orders/forms.test.ts': {
    'functions/account/actions/access.ts: a session of a former stamp signs out everywhere again': [
      "if (found === undefined || !hasCurrentStamp(found.user, session)) return 'done';",
      "if (found === undefined) return 'done';",
    ],
    'functions/account/actions/devices.ts: removing the others removes this one too': [
      '.filter((deviceId) => deviceId !== body.device)',
    ],
  },
  'A session of a user who was suspended since ends nothing.': {
    'functions/account/actions/access.ts: a suspended user signs out everywhere': [
      "if (userOfSession(session, found.user) === undefined) return 'refused';",
    ],
  },
  'An application that the user withdraws loses all its tokens.': {
    'functions/account/actions/access.ts: a withdrawal takes the grants of every application': [
      'grant.applicationId === application && isUsable(grant, nowMs)',
      'isUsable(grant, nowMs)',
    ],
  },
  'test/handlers/functions/account/sign-in.test.ts': {
    'functions/account/actions/sign-in.ts: a session shows any user': [
      'users.find(({ userId }) => userId === body.user)',
      'users.at(-1)',
    ],
  },
  'test/handlers/functions/account': {
    'functions/account/actions/sign-in.ts: signing out leaves the session': [
      'await accountSessions.end(sessionToken);',
    ],
  },
  'A device that is removed there is refused at its next vault call.': {
    'functions/shared/auth/trusted-device.ts: a removed device stays trusted': [
      '    { Delete: { Key: keys.trusted(userId, deviceId) } },\n',
    ],
  },
};
