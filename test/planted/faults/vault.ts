import type { PlantedFault } from '../fault.ts';

export const faultsOfVault: readonly PlantedFault[] = [
  {
    name: 'a vault is replaced whatever its stored version is',
    file: 'functions/shared/accounts/vault-head.ts',
    find: "'#version = :version AND proofId = :proofId'",
    replace: "'#version >= :version AND (proofId = :proofId OR attribute_exists(pk))'",
    caughtBy: { tests: ['test/handlers/functions/vault/races.test.ts'] },
  },
  {
    name: 'a vault is created over one that was created meanwhile',
    file: 'functions/shared/accounts/vault-head.ts',
    find: 'if (head === undefined) return { ConditionExpression: notExists };',
    replace: "if (head === undefined) return { ConditionExpression: 'attribute_not_exists(otherPart)' };",
    caughtBy: {
      tests: [
        'test/handlers/functions/vault/races.test.ts',
        'test/handlers/functions/vault/password.test.ts',
      ],
    },
  },
  {
    name: 'parts of two versions of a vault are combined',
    file: 'functions/vault/store.ts',
    find: 'part?.version === head.version',
    replace: 'part !== undefined',
    caughtBy: { promise: 'A vault is read and written whole.' },
  },
  {
    name: 'a vault that shrinks keeps its former parts',
    file: 'functions/vault/store.ts',
    find: '...obsoleteParts.map((Key): Write => ({ Delete: { Key } })),',
    replace: '',
    caughtBy: { tests: ['test/handlers/functions/vault/sizes.test.ts'] },
  },
  {
    name: 'an old proof reads what was written with a new one',
    file: 'functions/vault/read.ts',
    find: "if (vault && vault.proofId !== caller.proofId) throw new ApiError('proof_invalid');",
    replace: '',
    caughtBy: { promise: 'A change of the master password ends the former proof at once.' },
  },
  {
    name: 'a new proof is stored outside of the transaction of its vault',
    file: 'functions/vault/store.ts',
    find: '...(proof ? [{ Put: { Item: { ...keys.proof(userId), ...proof }, ...proofIsAsRead(change) } }] : []),',
    replace: '',
    caughtBy: { tests: ['test/handlers/functions/vault/password.test.ts'] },
  },
  {
    name: 'a repeated write is written again',
    file: 'functions/vault/store.ts',
    find: 'storedVersion === expectedVersion + 1 && stored.digest === digest',
    replace: 'storedVersion === expectedVersion + 2 && stored.digest === digest',
    caughtBy: { tests: ['test/handlers/functions/vault/vault.test.ts'] },
  },
  {
    name: 'a write is taken for the repeat of another one',
    file: 'functions/vault/store.ts',
    find: ' && stored.digest === digest) {',
    replace: ') {',
    caughtBy: { tests: ['test/handlers/functions/vault/races.test.ts'] },
  },
  {
    name: 'a caller without a stored proof reads a vault that was created meanwhile',
    file: 'functions/vault/read.ts',
    find: 'caller.proofId === undefined ? undefined : await vaults.read(caller.userId)',
    replace: 'await vaults.read(caller.userId)',
    caughtBy: { tests: ['test/handlers/functions/vault/password.test.ts'] },
  },
  {
    name: 'a token alone replaces the proof',
    file: 'functions/vault/write.ts',
    find: 'if (authHash === undefined && proofId !== undefined && newAuthHash !== undefined) {',
    replace: 'if (authHash === undefined && proofId !== undefined && newAuthHash === userId) {',
    caughtBy: { promise: 'An access token cannot change the proof or create a vault.' },
  },
  {
    name: 'a token opens the vault of a suspended user',
    file: 'functions/vault/authenticate.ts',
    find: 'if (!isTokenValidFor(accessToken, user) || !isValidForApplication)',
    replace: 'if (!isValidForApplication)',
    caughtBy: { promise: 'A suspended user or a new stamp ends the access of a token at the next call.' },
  },
  {
    name: 'a token without its scope opens the vault',
    file: 'functions/vault/authenticate.ts',
    find: 'accessToken?.scopes?.includes(vaultScope) ? accessToken.userId : undefined',
    replace: 'accessToken?.scopes ? accessToken.userId : undefined',
    caughtBy: { tests: ['test/handlers/functions/vault/bearer.test.ts'] },
  },
  {
    name: 'the bytes that a user stores are not counted',
    file: 'functions/vault/write.ts',
    find: 'counts.map((count) => count.add(bytes))',
    replace: 'counts.slice(0, 1).map((count) => count.add(bytes))',
    caughtBy: { tests: ['test/handlers/functions/vault/attacks-by-bytes.test.ts'] },
  },
  {
    name: 'the bytes that an address stores are not counted',
    file: 'functions/vault/write.ts',
    find: 'counts.map((count) => count.add(bytes))',
    replace: 'counts.slice(1).map((count) => count.add(bytes))',
    caughtBy: {
      promise:
        "An address or a user stores at most 300 MB in an hour, and strangers use up nothing of a user's.",
    },
  },
  {
    name: 'the trust in a device outlives the security stamp',
    file: 'functions/shared/auth/trusted-device.ts',
    find: 'return device !== undefined && hasCurrentStamp(user, device);',
    replace: 'return device !== undefined;',
    caughtBy: { promise: 'A suspended user or a new stamp ends the access of a token at the next call.' },
  },
  {
    name: 'a device that presented its proof need not present it again',
    file: 'functions/shared/auth/device-proof.ts',
    find: "return deviceProofPresented || env.deviceProof() === 'required';",
    replace: "return env.deviceProof() === 'required';",
    caughtBy: { promise: 'A device that has presented its proof once must always present it.' },
  },
  {
    name: 'the proof of another device opens a vault',
    file: 'functions/shared/auth/device-proof.ts',
    find: 'if (!isProofOf(device, presented)) throw deviceNotVerified(deviceId);',
    replace: '',
    caughtBy: { promise: 'Device id and master password do not open a vault from other hardware then.' },
  },
  {
    name: 'a signed proof passes twice',
    file: 'functions/shared/auth/dpop-store.ts',
    find: "ConditionExpression: 'attribute_not_exists(usedBy)'",
    replace: "ConditionExpression: 'attribute_not_exists(usedTwiceBy)'",
    caughtBy: { promise: 'A recorded request opens nothing.' },
  },
  {
    name: 'a signed proof whose first use was not answered is refused',
    file: 'functions/shared/auth/dpop-store.ts',
    find: 'isOwn: (stored) => stored.usedBy === usedBy,',
    replace: '',
    caughtBy: { tests: ['test/handlers/functions/vault/device-proof.test.ts'] },
  },
  {
    name: 'a known caller is locked out by strangers',
    file: 'functions/shared/auth/proven-caller.ts',
    find: 'refuseLocked(isKnown ? ofKnown : ofStrangers);',
    replace: 'refuseLocked(ofStrangers);',
    caughtBy: { promise: 'Strangers lock out strangers only.' },
  },
  {
    name: 'a repeat of a password change passes with other content',
    file: 'functions/shared/auth/proof-comparison.ts',
    find: 'return isSameProof && writeId === setBy.writeId;',
    replace: 'return isSameProof;',
    caughtBy: {
      promise: 'Its repetition after a lost response is accepted, and nothing else with the former proof.',
    },
  },
  {
    name: 'any proof opens a vault',
    file: 'functions/shared/auth/proof-comparison.ts',
    find: 'return isEqual && endedAtMs === undefined;',
    replace: 'return isEqual || endedAtMs === undefined;',
    caughtBy: { tests: ['test/handlers/functions/vault/password.test.ts'] },
  },
  {
    name: 'a wrong proof is not counted',
    file: 'functions/shared/auth/proven-caller.ts',
    find: 'for (const [limit, key] of counts) refuseLocked([await consume(limit, key, nowMs)]);',
    replace: '',
    caughtBy: {
      promise:
        'Wrong proofs are bounded: ten in 15 minutes from an address, a hundred in an hour from strangers.',
    },
  },
  {
    name: 'the proof of the master password is stored as it is',
    file: 'functions/shared/auth/proof.ts',
    find: 'return { salt, hash, ...defined({ setBy: change, securityStamp }) };',
    replace:
      "return { salt, hash: Buffer.from(authHash, 'hex'), ...defined({ setBy: change, securityStamp }) };",
    caughtBy: { promise: 'The service knows neither master password nor key.' },
  },
  {
    name: 'a strange device learns whether a vault exists',
    file: 'functions/shared/auth/proven-caller.ts',
    find: 'if (!isTrustInEffect(device, user)) throw deviceNotVerified(deviceId);',
    replace:
      "if (!isTrustInEffect(device, user)) throw more.proof ? deviceNotVerified(deviceId) : new ApiError('proof_invalid');",
    caughtBy: { promise: 'Errors do not tell whether a vault exists.' },
  },
];
