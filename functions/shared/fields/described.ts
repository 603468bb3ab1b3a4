import * as z from 'zod/mini';
import { defined } from '../contract/defined.ts';

export const described = (description: string, ...examples: unknown[]) =>
  z.meta({ description, ...defined({ examples: examples.length > 0 ? examples : undefined }) });

export const Time = z.iso.datetime();
