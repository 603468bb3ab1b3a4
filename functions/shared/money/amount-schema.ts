import * as z from 'zod/mini';
import { described } from '../fields/described.ts';

export const Amount = z.number().check(described('A decimal amount in the currency.'));
