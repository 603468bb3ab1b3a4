import { mergeConfig } from 'vitest/config';
import config from '../../../vitest.config.ts';

export default mergeConfig(config, { test: { include: ['test/support/failing/request.ts'] } });
