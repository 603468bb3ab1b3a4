import * as z from 'zod/mini';

export const described = (description: string) => z.meta({ description });
