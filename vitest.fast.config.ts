import { configDefaults, mergeConfig } from 'vitest/config';
import config, { slowFiles } from './vitest.config.ts';

// knip loads this file too.
if (process.env.npm_lifecycle_event === 'test:fast')
  process.stdout.write(`Left out, as slow by nature (npm test runs them):\n  ${slowFiles.join('\n  ')}\n`);

export default mergeConfig(config, { test: { exclude: [...configDefaults.exclude, ...slowFiles] } });
