// Exit code 0 if the server of this container answers /health: for HEALTHCHECK, in an image without curl.
const port = process.env.HELVE_PORT ?? '4870';
const answer = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(2_500) }).catch(
  () => undefined,
);
process.exitCode = answer?.ok ? 0 : 1;
