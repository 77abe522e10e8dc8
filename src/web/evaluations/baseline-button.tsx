import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { ActionButton } from '../ui/action-button.tsx'

/** Makes a run the baseline that gates compare with, or says that it is. */
export function BaselineButton({ project, run }: { readonly project: Project; readonly run: string }) {
  const queryClient = useQueryClient()
  const queryKey = ['baselines', project.project_id]
  const params = projectParams(project)
  const list = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.call('evaluation_baselines', params, signal),
  })
  const pin = useMutation({
    mutationFn: () => api.call('evaluation_baseline_set', { ...params, run }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey }),
  })
  const baselines = list.data?.baselines ?? []
  const own = baselines.find((each) => each.run === run)
  const isBaseline =
    own !== undefined && baselines.find(({ evaluation }) => evaluation === own.evaluation) === own
  return (
    <ActionButton
      variant="default"
      icon="evaluations"
      disabled={isBaseline || list.isPending}
      loading={pin.isPending}
      title={pin.error?.message}
      onClick={() => pin.mutate()}
    >
      {isBaseline ? 'Baseline' : 'Make baseline'}
    </ActionButton>
  )
}
