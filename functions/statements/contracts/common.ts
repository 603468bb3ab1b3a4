/** An operator can name an application that does not exist. */
export const refusals = ['invalid_token', 'not_found'] as const;
