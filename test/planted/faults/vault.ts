import type { Area } from '../fault.ts';

export const vault: Area = {
  'A vault is read and written whole.': {
    'functions/vault/store.ts: parts of two versions of a vault are combined': [
      'part?.version === head.version',
      'part !== undefined',
    ],
  },
  'A change of the master password ends the former proof at once.': {
    'functions/vault/read.ts: an old proof reads what was written with a new one': [
      "if (vault && vault.proofId !== caller.proofId) throw new ApiError('proof_invalid');",
    ],
  },
  'An access token cannot change the proof or create a vault.': {
    'functions/vault/write.ts: a token alone replaces the proof': [
      'if (authHash === undefined && proofId !== undefined && newAuthHash !== undefined) {',
      'if (authHash === undefined && proofId !== undefined && newAuthHash === userId) {',
    ],
  },
  'A suspended user or a new stamp ends the access of a token at the next call.': {
    'functions/vault/authenticate.ts: a token opens the vault of a suspended user': [
      'if (!isTokenValidFor(accessToken, user) || !isValidForApplication)',
      'if (!isValidForApplication)',
    ],
    'functions/shared/auth/trusted-device.ts: the trust in a device outlives the security stamp': [
      'return device !== undefined && hasCurrentStamp(user, device);',
      'return device !== undefined;',
    ],
  },
  "An address or a user stores at most 300 MB in an hour, and strangers use up nothing of a user's.": {
    'functions/vault/write.ts: the bytes that an address stores are not counted': [
      'counts.map((count) => count.add(bytes))',
      'counts.slice(1).map((count) => count.add(bytes))',
    ],
  },
  'A device that has presented its proof once must always present it.': {
    'functions/shared/auth/device-proof.ts: a device that presented its proof need not present it again': [
      "return deviceProofPresented || env.deviceProof() === 'required';",
      "return env.deviceProof() === 'required';",
    ],
  },
  'Device id and master password do not open a vault from other hardware then.': {
    'functions/shared/auth/device-proof.ts: the proof of another device opens a vault': [
      'if (!isProofOf(device, presented)) throw deviceNotVerified(deviceId);',
    ],
  },
  'A recorded request opens nothing.': {
    'functions/shared/auth/dpop-store.ts: a signed proof passes twice': [
      "ConditionExpression: 'attribute_not_exists(usedBy)'",
      "ConditionExpression: 'attribute_not_exists(usedTwiceBy)'",
    ],
  },
  'Strangers lock out strangers only.': {
    'functions/shared/auth/proven-caller.ts: a known caller is locked out by strangers': [
      'refuseLocked(isKnown ? ofKnown : ofStrangers);',
      'refuseLocked(ofStrangers);',
    ],
  },
  'Its repetition after a lost response is accepted, and nothing else with the former proof.': {
    'functions/shared/auth/proof-comparison.ts: a repeat of a password change passes with other content': [
      'return isSameProof && writeId === setBy.writeId;',
      'return isSameProof;',
    ],
  },
  'Wrong proofs are bounded: ten in 15 minutes from an address, a hundred in an hour from strangers.': {
    'functions/shared/auth/proven-caller.ts: a wrong proof is not counted': [
      'for (const [limit, key] of counts) refuseLocked([await consume(limit, key, nowMs)]);',
    ],
  },
  'The service knows neither master password nor key.': {
    'functions/shared/auth/proof.ts: the proof of the master password is stored as it is': [
      'return { salt, hash, ...defined({ setBy: change, securityStamp }) };',
      "return { salt, hash: Buffer.from(authHash, 'hex'), ...defined({ setBy: change, securityStamp }) };",
    ],
  },
  'Errors do not tell whether a vault exists.': {
    'functions/shared/auth/proven-caller.ts: a strange device learns whether a vault exists': [
      'if (!isTrustInEffect(device, user)) throw deviceNotVerified(deviceId);',
      "if (!isTrustInEffect(device, user)) throw more.proof ? deviceNotVerified(deviceId) : new ApiError('proof_invalid');",
    ],
  },
};
