import type { Area } from '../fault.ts';

export const devices: Area = {
  'A code cannot be read from the table.': {
    'functions/shared/auth/codes/one-time-codes.ts: a code is stored as it is mailed': [
      'codeHash: await codeHash(own, codeId, code),',
      'code, codeHash: await codeHash(own, codeId, code),',
    ],
  },
  'A code works once, for the address and purpose that it was sent for, and for a device that was checked in for the user of that address.':
    {
      'functions/devices/store.ts: a code is not consumed': ['...codeConsumption(code, nowMs),'],
    },
  'With `enrolment: known`, a stranger cannot take a `userId`.': {
    'functions/devices/store.ts: whoever verifies an address enrols as a user of the operator': [
      "known: 'attribute_exists(createdAtMs) AND email = :email',",
      "known: 'attribute_not_exists(email) OR email = :email',",
    ],
  },
  'The owner gets a mail about each new device, also when the function dies.': {
    'functions/devices/store.ts: the alert is not in the transaction': [
      '{ Put: { Item: { ...alertKey(alert), ...alert } } },',
    ],
  },
  'A code is mailed once, whatever happens.': {
    'functions/devices/code-send.ts: a code that may have been mailed is withdrawn': [
      'if (!(error instanceof MailPossiblySent)) await withdrawCode(stored, codeId);',
      'await withdrawCode(stored, codeId);',
    ],
  },
  'With `deviceManagementProof`, no device is listed or removed without a trusted device and the proof of the master password.':
    {
      'functions/shared/auth/proven-caller.ts: devices are listed without a proof where the deployment requires one':
        [
          'return env.deviceManagementProof() ? authenticateProof(context, userIdOf(context)) : undefined;',
          'return undefined;',
        ],
    },
  'The items of one user are bounded: 4.4 MB.': {
    'functions/devices/device.ts: a user has a thousand devices': ['maxPerUser: 100,', 'maxPerUser: 1_000,'],
  },
  'A flood of devices keeps nobody from verifying one.': {
    'functions/devices/device.ts: the devices of the least crowded address are removed first': [
      'b.length - a.length',
      'a.length - b.length',
    ],
  },
  'The profiling service gets hardware signals, and nothing that names the user.': {
    'functions/devices/check.ts: the profiling service gets the id of the user': [
      'identifyDevice(signals, deviceLookup(env.deviceProfilingUrl()))',
      'identifyDevice({ ...signals, userAgent: userId }, deviceLookup(env.deviceProfilingUrl()))',
    ],
  },
  'Strangers send a mailbox at most 20 codes in any hour, plus tags included, and keep none from an address block that verified it.':
    {
      'functions/shared/auth/codes/one-time-codes.ts: concurrent codes of a mailbox are counted once': [
        "ConditionExpression: 'revision = :revision',",
        "ConditionExpression: 'revision >= :revision OR revision < :revision',",
      ],
    },
  'Strangers void no code, and neither replace nor try that of a browser session, a device with its proof, or an enrolment link.':
    {
      'functions/shared/auth/codes/one-time-codes.ts: the code of a browser is that of anybody': [
        'const { purpose, email, holder = source } = slot;',
        'const { purpose, email } = slot, holder = undefined;',
      ],
    },
  'A refusal tells nothing about a code.': {
    'functions/devices/trust.ts: a code is compared when the tries are used up': [
      "if ('allowed' in attempt) throw new ApiError('code_verify_limited', attempt);",
      "if ('allowed' in attempt) {\n    const other = await readAttempt(userEmail, { block: 'elsewhere', shown: {} }, nowMs);\n    const { result } = await verifyCode(slot, code, Object.assign({ tryId: '1' }, other), nowMs);\n    throw new ApiError(result === 'wrong' ? 'code_wrong' : 'code_verify_limited', attempt);\n  }",
    ],
  },
  'Strangers keep no owner out who was entered by an operator and has the mailed link, or who verified before and has the device or the browser.':
    {
      'functions/shared/auth/codes/mailbox-store.ts: an owner with a known device counts as a stranger': [
        'isVerified: source !== undefined || isCurrent(block)',
        'isVerified: isCurrent(block)',
      ],
    },
  'Known and unknown addresses get the same response.': {
    'functions/devices/code-send.ts: an address that is known is greeted': [
      "message: 'A code was sent. It is valid for 5 minutes.'",
      "message: Object.keys(mailbox.verified).length > 0 ? 'Welcome back.' : 'A code was sent.'",
    ],
  },
};
