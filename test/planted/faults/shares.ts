import type { Area } from '../fault.ts';

export const shares: Area = {
  'A one-time share is handed out at most once.': {
    'functions/shares/store.ts: the claim of a one-time share does not end an earlier one': [
      "UpdateExpression: 'SET claim = :claim',",
      "UpdateExpression: 'SET lastClaim = :claim',",
    ],
    'functions/shares/store.ts: the claim of a share replaces an earlier claim': [
      ' AND (attribute_not_exists(claim) OR claim = :claim)`',
      '`',
    ],
  },
  'A creation that arrives again creates nothing, also after the share was opened or burned.': {
    'functions/shares/store.ts: a write of a share replaces its tombstone': [
      'ifAbsent = { ConditionExpression: notExists }',
      "ifAbsent = { ConditionExpression: 'attribute_exists(pk) OR attribute_not_exists(pk)' }",
    ],
    'functions/shares/store.ts: a creation of several items replaces what is stored': [
      '({ Put: { Item: item, ...ifAbsent } })',
      '({ Put: { Item: item } })',
    ],
  },
  'The ciphertext of a one-time share is removed before its response leaves.': {
    'functions/shares/payload-store.ts: the ciphertext of an opened share stays in its tombstone': [
      "  'data',\n  'tail',",
      "  'tail',",
    ],
    'functions/shares/store.ts: the parts of an opened share stay': [
      'await settleRemovals(removeParts(id, { from: 1, count: head.parts }));',
    ],
  },
  'A share opens no more often than its views.': {
    'functions/shares/head-store.ts: a share has one view more than it says': [
      'size(claims) < maxViews)',
      'size(claims) <= maxViews)',
    ],
  },
  'A burned share is never opened, and its ciphertext is deleted before the response.': {
    'functions/shares/receipt-store.ts: a burn answers before the payload is deleted': [
      'if (record !== undefined) await Promise.all(removeParts(id, { from: 1, count: (item as Head).parts }));',
    ],
  },
  'Only who has the receipt token reads a receipt or burns a share.': {
    'functions/shares/receipt-store.ts: whoever knows the id of a share burns it': [
      'AND receiptHash = :receipt AND',
      'AND (receiptHash = :receipt OR attribute_exists(receiptHash)) AND',
    ],
    'functions/shares/receipt-store.ts: a wrong receipt token reads a receipt': [
      ' || !isEqualInConstantTime(head.receiptHash, receiptHash))',
      ')',
    ],
  },
  'A wrong or missing share proof opens nothing.': {
    'functions/shares/head-store.ts: a wrong share proof opens a share': [
      ' || !isEqualInConstantTime(head.accessProof, proofHash))',
      ')',
    ],
    'functions/shares/store.ts: the claim does not compare the share proof': [
      ' AND accessProof = :proof` : ConditionExpression,',
      ' AND accessProof >= :proof` : ConditionExpression,',
    ],
  },
  'A passphrase cannot be guessed: a share compares 30 wrong proofs in an hour, from all addresses together.':
    {
      'functions/shares/head-store.ts: a share compares one wrong proof more in an hour': [
        'wrongProofs.#hour < :max',
        'wrongProofs.#hour <= :max',
      ],
    },
  'An address receives at most 500 MB of shares in an hour, and a request that is refused for its bytes consumes no share.':
    {
      'functions/shares/store.ts: a share is claimed before its bytes are counted': [
        '    bytes.add(minCountedBytes),\n  ]);',
        '  ]);',
      ],
      'functions/shares/payload-store.ts: the bytes of parts are not counted': [
        '...restOfBytes(payload).map(bytes.add),',
      ],
    },
  'Absent, expired and opened shares are indistinguishable.': {
    'functions/shares/head-store.ts: a share that has expired is read': [
      'nowMs < expiresAtMs && claim === undefined',
      'claim === undefined',
    ],
  },
  'A wrong proof costs little, however large the share is.': {
    'functions/shares/share.ts: a share of any size is beside the proofs that are tried': [
      'const headWithProofMaxBytes = 16 * 1024;',
      'const headWithProofMaxBytes = 16 * 1024 * 1024;',
    ],
  },
  'A preview of a link opens nothing and tells nothing of the share.': {
    'functions/shares/share-page.ts: the preview of a link says how long its content is': [
      "title: 'Somebody shared a secret',",
      "title: 'Somebody shared a secret of 12 characters',",
    ],
  },
};
