/** A deployment changes both. Its canary lasts five minutes too, in which two versions respond. */
export const cacheSeconds = 300;

/** Each reader needs one of each, and a cache keeps it: 50 a second are 180,000 readers an hour. */
export const throttle = { ratePerSecond: 50, burst: 100 };
