import type { PlantedFault } from '../fault.ts';

export const faultsOfCodes: readonly PlantedFault[] = [
  {
    name: 'concurrent codes of a mailbox are counted once',
    file: 'functions/shared/auth/codes/one-time-codes.ts',
    find: "ConditionExpression: 'revision = :revision',",
    replace: "ConditionExpression: 'revision >= :revision OR revision < :revision',",
    caughtBy: {
      promise:
        'Strangers send a mailbox at most 20 codes in any hour, plus tags included, and keep none from an address block that verified it.',
    },
  },
  {
    name: 'the code of a browser is that of anybody',
    file: 'functions/shared/auth/codes/one-time-codes.ts',
    find: 'const { purpose, email, holder = source } = slot;',
    replace: 'const { purpose, email } = slot, holder = undefined;',
    caughtBy: {
      promise:
        'Strangers void no code, and neither replace nor try that of a browser session, a device with its proof, or an enrolment link.',
    },
  },
  {
    name: 'a code is compared when the tries are used up',
    file: 'functions/devices/trust.ts',
    find: "if ('allowed' in attempt) throw new ApiError('code_verify_limited', attempt);",
    replace:
      "if ('allowed' in attempt) {\n    const other = await readAttempt(userEmail, { block: 'elsewhere', shown: {} }, nowMs);\n    const { result } = await verifyCode(slot, code, Object.assign({ tryId: '1' }, other), nowMs);\n    throw new ApiError(result === 'wrong' ? 'code_wrong' : 'code_verify_limited', attempt);\n  }",
    caughtBy: { promise: 'A refusal tells nothing about a code.' },
  },
  {
    name: 'an owner with a known device counts as a stranger',
    file: 'functions/shared/auth/codes/mailbox-store.ts',
    find: 'isVerified: source !== undefined || isCurrent(block)',
    replace: 'isVerified: isCurrent(block)',
    caughtBy: {
      promise:
        'Strangers keep no owner out who was entered by an operator and has the mailed link, or who verified before and has the device or the browser.',
    },
  },
  {
    name: 'an address that is known is greeted',
    file: 'functions/devices/code-send.ts',
    find: "message: 'A code was sent. It is valid for 5 minutes.'",
    replace: "message: Object.keys(mailbox.verified).length > 0 ? 'Welcome back.' : 'A code was sent.'",
    caughtBy: { promise: 'Known and unknown addresses get the same response.' },
  },
];
