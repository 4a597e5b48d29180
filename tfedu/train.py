"""`tf.train`: optimizers, learning rates, the global step, moving averages, checkpoints."""

from .engine.base.lazy import lazy as _lazy
from .engine.lib.devices.cluster import ClusterSpec, replica_device_setter
from .engine.lib.variables.moving_averages import ExponentialMovingAverage

__all__ = [
    "ClusterSpec", "ExponentialMovingAverage", "replica_device_setter",
]  # fmt: skip

_NAMES = {
    "training.sessions.global_step": (
        "assert_global_step create_global_step get_global_step get_or_create_global_step global_step"
    ),
    "training.sessions.coordinator": "Coordinator LooperThread",
    "training.sessions.hooks": "SessionRunArgs SessionRunContext SessionRunHook SessionRunValues",
    "training.sessions.basic_hooks": (
        "FeedFnHook FinalOpsHook GlobalStepWaiterHook LoggingTensorHook NanLossDuringTrainingError "
        "NanTensorHook SecondOrStepTimer StopAtStepHook"
    ),
    "training.sessions.saving_hooks": (
        "CheckpointSaverHook CheckpointSaverListener ProfilerHook StepCounterHook SummarySaverHook"
    ),
    "training.sessions.session_manager": "SessionManager",
    "training.sessions.scaffold": "ChiefSessionCreator Scaffold SessionCreator WorkerSessionCreator",
    "training.sessions.monitored": "MonitoredSession MonitoredTrainingSession SingularMonitoredSession",
    "training.sessions.supervisor": "Supervisor basic_train_loop",
    "training.optimizers.learning_rates": (
        "cosine_decay cosine_decay_restarts exponential_decay inverse_time_decay linear_cosine_decay "
        "natural_exp_decay noisy_linear_cosine_decay piecewise_constant piecewise_constant_decay "
        "polynomial_decay"
    ),
    "training.optimizers.optimizer": "Optimizer",
    "training.optimizers.algorithms": (
        "AdadeltaOptimizer AdagradDAOptimizer AdagradOptimizer AdamOptimizer FtrlOptimizer "
        "GradientDescentOptimizer MomentumOptimizer ProximalAdagradOptimizer ProximalGradientDescentOptimizer "
        "RMSPropOptimizer"
    ),
    "base.proto": (
        "BytesList Example Feature FeatureList FeatureLists Features FloatList Int64List SaverDef "
        "SequenceExample"
    ),
    "data.queues.runners": "QueueRunner add_queue_runner queue_runner start_queue_runners",
    "data.queues.sync_replicas": "SyncReplicasOptimizer",
    "data.queues.producers": (
        "input_producer limit_epochs match_filenames_once range_input_producer slice_input_producer "
        "string_input_producer"
    ),
    "data.queues.queue_batches": (
        "batch batch_join maybe_batch maybe_batch_join maybe_shuffle_batch maybe_shuffle_batch_join shuffle_batch "
        "shuffle_batch_join"
    ),
    "training.checkpoints.saver": "Saver import_meta_graph",
    "training.checkpoints.object_checkpoint": "Checkpoint CheckpointManager",
    "training.checkpoints.warm_starting": "VocabInfo warm_start",
    "training.checkpoints.checkpoint_state": (
        "checkpoint_exists checkpoints_iterator generate_checkpoint_state_proto get_checkpoint_mtimes "
        "get_checkpoint_state latest_checkpoint remove_checkpoint update_checkpoint_state"
    ),
    "training.checkpoints.checkpoint_reader": (
        "NewCheckpointReader init_from_checkpoint list_variables load_checkpoint load_variable"
    ),
    "interop.meta_graph": "export_meta_graph",
    "files.event_files": "summary_iterator",
    "interop.message_files": "write_graph",
    "interop.summary_writer": "SummaryWriter",
}  # by module of tfedu.engine

__getattr__, __dir__ = _lazy(__name__, {f"tfedu.engine.{module}": names for module, names in _NAMES.items()})
