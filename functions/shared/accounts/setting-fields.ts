import * as z from 'zod/mini';

export const described = (description: string, more: Parameters<typeof z.meta>[0] = {}) =>
  z.meta({ description, ...more });
/** A setting that has a default when it is absent. The default is part of the documentation, not of the parsed value. */
export const withDefault = (description: string, value: unknown) =>
  described(description, { default: value });
export const day = (minimum: number) => z.int().check(z.gte(minimum), z.lte(365));
export const days = (minimum: number, description: string, defaultDays: number) =>
  z.optional(day(minimum).check(withDefault(`${description}.`, defaultDays)));
export const choice = <const T extends readonly string[]>(values: T, description: string, value: T[number]) =>
  z.optional(z.enum(values).check(withDefault(description, value)));
export const flag = (description: string, value: boolean) =>
  z.optional(z.boolean().check(withDefault(description, value)));
export const group = <T extends z.core.$ZodLooseShape>(description: string, shape: T) =>
  z.object(shape).check(described(description));
export const section = <T extends z.core.$ZodLooseShape>(description: string, shape: T) =>
  z.optional(group(description, shape));

export type TextField = (maxLength: number) => z.ZodMiniString;

/** The texts of settings. In a response, each is any text: those that were stored before a rule are still returned. */
export interface Texts {
  readonly line: TextField;
  readonly country: z.ZodMiniString;
  readonly vatId: z.ZodMiniString;
  readonly iban: z.ZodMiniString;
  readonly bic: z.ZodMiniString;
}
