/**
 * The environment, read when asked for and never at import, so that a missing variable is an error of the
 * request with a clear text, and tests can set their own.
 */
function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`The environment variable ${name} is not set`);
  return value;
}

export const env = {
  /** The one table. */
  tableName: () => required('TABLE_NAME'),
  /** Origins that may call from a browser, a JSON array; `["*"]` allows all. None when unset. */
  allowedOrigins: (): string[] => JSON.parse(process.env.ALLOWED_ORIGINS ?? '[]'),
  /** Where the files of `grants.files` lie. */
  filesDir: () => required('FILES_DIR'),
};
