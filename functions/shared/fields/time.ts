import * as z from 'zod/mini';

export const Time = z.iso.datetime();
