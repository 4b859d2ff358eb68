/** Providers that `ai()` knows by name. Their keys come from the environment. */
export type ProviderName = 'gemini' | 'openai' | 'anthropic';

/** A language model of the AI SDK. */
export interface Model {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
}

/** Which model of a provider is asked, and where. */
export interface ModelOptions {
  /** The id of the provider's model. Default: a fast one. */
  model?: string | undefined;
  /** The address of the provider's API. Default: the variable such as `OPENAI_BASE_URL`, else its own. */
  baseURL?: string | undefined;
}
