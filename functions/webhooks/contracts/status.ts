import * as z from 'zod/mini';

export const Status = z.enum(['pending', 'succeeded', 'failed']);
