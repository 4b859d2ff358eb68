/** Gives a promise that must come true a limit, so that a lost wake-up fails with a name instead of hanging. */
export async function within<Result>(what: string, promise: Promise<Result>, limitMs = 10_000): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Still waiting after ${limitMs / 1000} s: ${what}`)), limitMs);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}
