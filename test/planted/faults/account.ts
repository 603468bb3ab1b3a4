import type { Area } from '../fault.ts';

export const account: Area = {
  'A session of a user who was suspended since ends nothing.': {
    'functions/account/submit.ts: a suspended user signs out everywhere': [
      "if (userOfSession(session, found.user) === undefined) return 'refused';",
    ],
  },
  'An application that the user withdraws loses all its tokens.': {
    'functions/account/submit.ts: a withdrawal takes the grants of every application': [
      'grant.applicationId === application && isUsable(grant, nowMs)',
      'isUsable(grant, nowMs)',
    ],
  },
  'A device that is removed there is refused at its next vault call.': {
    'functions/shared/auth/trusted-device.ts: a removed device stays trusted': [
      '    { Delete: { Key: keys.trusted(userId, deviceId) } },\n',
    ],
  },
};
