import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { queryClient } from './api/query-client.ts'
import { router } from './router.ts'
import { colorSchemes } from './theme/color-scheme.ts'
import { theme } from './theme/mantine.ts'

/** The root component with its providers. None of them injects style elements: theme/mantine.css has all styles. */
export function App() {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemes}
      withCssVariables={false}
      withStaticClasses={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  )
}
