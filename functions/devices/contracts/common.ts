import { minuteMs } from '../../shared/runtime/duration.ts';

/** Shared by sending and verifying: three requests a minute in total. */
export const codeLimit = { group: 'mfa', max: 3, windowMs: minuteMs } as const;
