import type { LanguageModel } from 'ai';
import { BeckonError } from '../protocol/errors.ts';
import type { Model, ModelOptions, ProviderName } from './model-options.ts';

interface Provider {
  readonly packageName: string;
  /** The environment variables that may have the key; messages name the first. */
  readonly keys: readonly string[];
  readonly baseUrl: string;
  readonly model: string;
  create(settings: { apiKey: string; baseURL?: string }, model: string): Promise<LanguageModel>;
}

const PROVIDERS: Readonly<Record<ProviderName, Provider>> = {
  gemini: {
    packageName: '@ai-sdk/google',
    keys: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY'],
    baseUrl: 'GEMINI_BASE_URL',
    model: 'gemini-flash-latest',
    create: async (settings, model) => (await import('@ai-sdk/google')).createGoogleGenerativeAI(settings)(model),
  },
  openai: {
    packageName: '@ai-sdk/openai',
    keys: ['OPENAI_API_KEY'],
    baseUrl: 'OPENAI_BASE_URL',
    model: 'gpt-5.4-mini',
    create: async (settings, model) => (await import('@ai-sdk/openai')).createOpenAI(settings)(model),
  },
  anthropic: {
    packageName: '@ai-sdk/anthropic',
    keys: ['ANTHROPIC_API_KEY'],
    baseUrl: 'ANTHROPIC_BASE_URL',
    model: 'claude-haiku-4-5',
    create: async (settings, model) => (await import('@ai-sdk/anthropic')).createAnthropic(settings)(model),
  },
};

/**
 * Checks that the model can be used, and returns the function that loads it. Throws `model_misconfigured`, naming the
 * variable, if the key of a provider is missing.
 */
export function prepareModel(llm: ProviderName | Model, options: ModelOptions = {}): () => Promise<LanguageModel> {
  if (typeof llm !== 'string') return () => Promise.resolve(llm as LanguageModel);
  const provider = Object.hasOwn(PROVIDERS, llm) ? PROVIDERS[llm] : undefined;
  if (provider === undefined) {
    throw misconfigured(
      `No provider ${JSON.stringify(llm)}. Use ${Object.keys(PROVIDERS).join(', ')}, or a language model of the AI SDK.`,
    );
  }
  const { packageName, keys, baseUrl, model } = provider;
  const apiKey = keys.map((name) => process.env[name]).find((value) => value !== undefined && value !== '');
  if (apiKey === undefined) {
    const [name, ...others] = keys;
    const or = others.length === 0 ? '' : ` (or ${others.join(' or ')})`;
    throw misconfigured(`No API key for ${llm}: set ${name}${or} in the environment.`);
  }
  const baseURL = options.baseURL ?? process.env[baseUrl];
  const settings = { apiKey, ...(baseURL !== undefined && baseURL !== '' && { baseURL }) };
  return () => load(packageName, () => provider.create(settings, options.model ?? model));
}

/** Loads an optional package. If it is not installed, the error says what to install. */
export async function load<Module>(packageName: string, importIt: () => Promise<Module>): Promise<Module> {
  try {
    return await importIt();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const packages = packageName === 'ai' ? 'ai' : `ai ${packageName}`;
    throw misconfigured(`Shaping needs a package that is not installed: npm install ${packages}`, error);
  }
}

function misconfigured(message: string, cause?: unknown): BeckonError {
  return new BeckonError('model_misconfigured', message, cause === undefined ? {} : { cause });
}
