import type { PlantedFault } from '../fault.ts';

export const faultsOfSecrets: readonly PlantedFault[] = [
  {
    name: 'the tokens of a user have the limit of their application',
    file: 'functions/shared/auth/bearer.ts',
    find: 'Math.floor(env.applicationRequestsPerSecond() / 10)',
    replace: 'Math.floor(env.applicationRequestsPerSecond())',
    caughtBy: { promise: "One user's tokens cannot use up the limit of their application." },
  },
  {
    name: 'a reset keeps the security stamp',
    file: 'functions/shared/accounts/reset-store.ts',
    find: "set: ended.devices ? 'securityStamp = :stamp' : '',",
    replace: "set: ended.devices ? 'formerStamp = :stamp' : '',",
    caughtBy: { promise: 'A reset ends everything that it names, or nothing.' },
  },
  {
    name: 'signing out everywhere keeps the security stamp',
    file: 'functions/shared/accounts/reset-store.ts',
    find: "values: ended.devices ? { ':stamp': securityStamp } : {},",
    replace: "values: ended.devices ? { ':stamp': user.securityStamp } : {},",
    caughtBy: {
      promise: 'Signing out everywhere ends every device, session and token, once, with an audit record.',
    },
  },
  {
    name: 'a session of the consent page opens the account page',
    file: 'functions/shared/sign-in/session-store.ts',
    find: 'sessionStoreOf(keys.accountSession)',
    replace: 'sessionStoreOf(keys.consent)',
    caughtBy: {
      promise: 'A session or a code of the consent page does not open it, nor the other way round.',
    },
  },
  {
    name: 'keyed hashes have a key that everybody knows',
    file: 'functions/shared/auth/deployment-key.ts',
    find: "hkdfSync('sha256', await secret,",
    replace: "hkdfSync('sha256', (await secret) && 'known',",
    caughtBy: { promise: 'The table alone opens nothing.' },
  },
  {
    name: 'an audit record does not say who acted',
    file: 'functions/shared/accounts/reset-store.ts',
    find: "auditWrite(object, { ...authorship, action: 'user.reset', revision",
    replace: "auditWrite(object, { ...authorship, keyId: '', action: 'user.reset', revision",
    caughtBy: {
      promise:
        'Each change that an operator makes to users, applications and keys is recorded with key, person, time, address and reason, and the record is never removed.',
    },
  },
];
