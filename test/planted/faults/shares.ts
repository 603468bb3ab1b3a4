import type { PlantedFault } from '../fault.ts';

export const faultsOfShares: readonly PlantedFault[] = [
  {
    name: 'the claim of a one-time share does not end an earlier one',
    file: 'functions/shares/store.ts',
    find: "UpdateExpression: 'SET claim = :claim',",
    replace: "UpdateExpression: 'SET lastClaim = :claim',",
    caughtBy: { promise: 'A one-time share is handed out at most once.' },
  },
  {
    name: 'the claim of a share replaces an earlier claim',
    file: 'functions/shares/store.ts',
    find: ' AND (attribute_not_exists(claim) OR claim = :claim)`',
    replace: '`',
    caughtBy: { promise: 'A one-time share is handed out at most once.' },
  },
  {
    name: 'a claim that is sent again does not find itself',
    file: 'functions/shares/store.ts',
    find: '(attribute_not_exists(claim) OR claim = :claim)',
    replace: '(attribute_not_exists(claim) OR (claim = :claim AND attribute_not_exists(pk)))',
    caughtBy: { tests: ['test/handlers/functions/shares/resends.test.ts'] },
  },
  {
    name: 'a write of a share replaces its tombstone',
    file: 'functions/shares/payload-store.ts',
    find: 'ifAbsent = { ConditionExpression: notExists }',
    replace: "ifAbsent = { ConditionExpression: 'attribute_exists(pk) OR attribute_not_exists(pk)' }",
    caughtBy: {
      promise: 'A creation that arrives again creates nothing, also after the share was opened or burned.',
    },
  },
  {
    name: 'the ciphertext of an opened share stays in its tombstone',
    file: 'functions/shares/payload-store.ts',
    find: "  'data',\n  'tail',",
    replace: "  'tail',",
    caughtBy: { promise: 'The ciphertext of a one-time share is removed before its response leaves.' },
  },
  {
    name: 'the parts of an opened share stay',
    file: 'functions/shares/store.ts',
    find: 'await settleRemovals(removeParts(id, { from: 1, count: head.parts }));',
    replace: '',
    caughtBy: { promise: 'The ciphertext of a one-time share is removed before its response leaves.' },
  },
  {
    name: 'an expired share opens until the time to live removes it',
    file: 'functions/shares/store.ts',
    find: 'nowMs >= head.expiresAtMs || ',
    replace: '',
    caughtBy: { tests: ['test/handlers/functions/shares/shares.test.ts'] },
  },
  {
    name: 'a share has one view more than it says',
    file: 'functions/shares/proof-store.ts',
    find: 'size(claims) < maxViews)',
    replace: 'size(claims) <= maxViews)',
    caughtBy: { promise: 'A share opens no more often than its views.' },
  },
  {
    name: 'a burned share opens for a reader who has read it before',
    file: 'functions/shares/apart-store.ts',
    find: 'const isOpen = `expiresAtMs > :now AND attribute_not_exists(burnedAtMs) AND',
    replace: 'const isOpen = `expiresAtMs > :now AND',
    caughtBy: { tests: ['test/handlers/functions/shares/protected-shares.test.ts'] },
  },
  {
    name: 'a burn answers before the payload is deleted',
    file: 'functions/shares/apart-store.ts',
    find: 'if (record !== undefined) await Promise.all(removeParts(id, { from: 1, count: (item as ApartHead).parts }));',
    replace: '',
    caughtBy: {
      promise: 'A burned share is never opened, and its ciphertext is deleted before the response.',
    },
  },
  {
    name: 'whoever knows the id of a share burns it',
    file: 'functions/shares/apart-store.ts',
    find: 'AND receiptHash = :receipt AND',
    replace: 'AND (receiptHash = :receipt OR attribute_exists(receiptHash)) AND',
    caughtBy: { promise: 'Only who has the receipt token reads a receipt or burns a share.' },
  },
  {
    name: 'a wrong receipt token reads a receipt',
    file: 'functions/shares/apart-store.ts',
    find: ' || !isEqualInConstantTime(head.receiptHash, receiptHash))',
    replace: ')',
    caughtBy: { promise: 'Only who has the receipt token reads a receipt or burns a share.' },
  },
  {
    name: 'a view leaves the payload of a share that has none left',
    file: 'functions/shares/apart-store.ts',
    find: 'claims.size >= head.maxViews)',
    replace: 'claims.size > head.maxViews)',
    caughtBy: { tests: ['test/handlers/functions/shares/protected-shares.test.ts'] },
  },
  {
    name: 'a wrong share proof opens a share',
    file: 'functions/shares/proof-store.ts',
    find: ' || !isEqualInConstantTime(head.accessProof, proofHash))',
    replace: ')',
    caughtBy: { promise: 'A wrong or missing share proof opens nothing.' },
  },
  {
    name: 'a share compares one wrong proof more in an hour',
    file: 'functions/shares/proof-store.ts',
    find: 'wrongProofs.#hour < :max',
    replace: 'wrongProofs.#hour <= :max',
    caughtBy: {
      promise:
        'A passphrase cannot be guessed: a share compares 30 wrong proofs in an hour, from all addresses together.',
    },
  },
  {
    name: 'the claim does not compare the share proof',
    file: 'functions/shares/store.ts',
    find: ' AND accessProof = :proof` : ConditionExpression,',
    replace: ' AND accessProof >= :proof` : ConditionExpression,',
    caughtBy: { promise: 'A wrong or missing share proof opens nothing.' },
  },
  {
    name: 'a share is claimed before its bytes are counted',
    file: 'functions/shares/store.ts',
    find: 'const [item] = await Promise.all([reading, bytes.add(minCountedBytes)]);',
    replace: 'const [item] = await Promise.all([reading]);',
    caughtBy: {
      promise:
        'An address receives at most 500 MB of shares in an hour, and a request that is refused for its bytes consumes no share.',
    },
  },
  {
    name: 'the bytes of parts are not counted',
    file: 'functions/shares/payload-store.ts',
    find: '...restOfBytes(payload).map(bytes.add),',
    replace: '',
    caughtBy: {
      promise:
        'An address receives at most 500 MB of shares in an hour, and a request that is refused for its bytes consumes no share.',
    },
  },
  {
    name: 'a share that has expired is read',
    file: 'functions/shares/store.ts',
    find: 'head === undefined || nowMs >= head.expiresAtMs || head.claim',
    replace: 'head === undefined || head.claim',
    caughtBy: { promise: 'Absent, expired and opened shares are indistinguishable.' },
  },
  {
    name: 'a creation replaces what is stored',
    file: 'functions/shares/apart-store.ts',
    find: '({ Put: { Item: item, ...ifAbsent } })',
    replace: '({ Put: { Item: item } })',
    caughtBy: {
      promise: 'A creation that arrives again creates nothing, also after the share was opened or burned.',
    },
  },
  {
    name: 'a share of any size is beside the proofs that are tried',
    file: 'functions/shares/share.ts',
    find: 'const headWithProofMaxBytes = 16 * 1024;',
    replace: 'const headWithProofMaxBytes = 16 * 1024 * 1024;',
    caughtBy: { promise: 'A wrong proof costs little, however large the share is.' },
  },
  {
    name: 'the preview of a link says how long its content is',
    file: 'functions/shares/share-page.ts',
    find: "title: 'Somebody shared a secret',",
    replace: "title: 'Somebody shared a secret of 12 characters',",
    caughtBy: { promise: 'A preview of a link opens nothing and tells nothing of the share.' },
  },
];
