"""`tf.train`: optimizers, learning rates, the global step, moving averages, checkpoints."""

from .engine.base.lazy import lazy as _lazy
from .engine.lib.cluster import ClusterSpec, replica_device_setter
from .engine.lib.moving_averages import ExponentialMovingAverage

__all__ = [
    "ClusterSpec", "ExponentialMovingAverage", "replica_device_setter",
]  # fmt: skip

__getattr__ = _lazy(
    __name__,
    {
        "tfedu.engine.training.global_step": "assert_global_step create_global_step get_global_step "
        "get_or_create_global_step global_step",
        "tfedu.engine.training.coordinator": "Coordinator LooperThread",
        "tfedu.engine.training.hooks": "SessionRunArgs SessionRunContext SessionRunHook SessionRunValues",
        "tfedu.engine.training.basic_hooks": "FeedFnHook FinalOpsHook GlobalStepWaiterHook LoggingTensorHook "
        "NanLossDuringTrainingError NanTensorHook SecondOrStepTimer StopAtStepHook",
        "tfedu.engine.training.saving_hooks": "CheckpointSaverHook CheckpointSaverListener ProfilerHook StepCounterHook "
        "SummarySaverHook",
        "tfedu.engine.training.session_manager": "SessionManager",
        "tfedu.engine.training.scaffold": "ChiefSessionCreator Scaffold SessionCreator WorkerSessionCreator",
        "tfedu.engine.training.monitored": "MonitoredSession MonitoredTrainingSession SingularMonitoredSession",
        "tfedu.engine.training.supervisor": "Supervisor basic_train_loop",
        "tfedu.engine.training.schedules": "cosine_decay cosine_decay_restarts exponential_decay inverse_time_decay "
        "linear_cosine_decay natural_exp_decay noisy_linear_cosine_decay piecewise_constant "
        "piecewise_constant_decay polynomial_decay",
        "tfedu.engine.training.optimizer": "Optimizer",
        "tfedu.engine.training.optimizers": "AdadeltaOptimizer AdagradDAOptimizer AdagradOptimizer AdamOptimizer FtrlOptimizer "
        "GradientDescentOptimizer MomentumOptimizer ProximalAdagradOptimizer ProximalGradientDescentOptimizer RMSPropOptimizer",
        "tfedu.engine.base.proto": "BytesList Example Feature FeatureList FeatureLists Features FloatList Int64List SaverDef "
        "SequenceExample",
        "tfedu.engine.training.saver": "Saver import_meta_graph",
        "tfedu.engine.training.object_checkpoint": "Checkpoint CheckpointManager",
        "tfedu.engine.training.warm_starting": "VocabInfo warm_start",
        "tfedu.engine.training.checkpoints": "checkpoint_exists checkpoints_iterator generate_checkpoint_state_proto "
        "get_checkpoint_mtimes get_checkpoint_state latest_checkpoint remove_checkpoint update_checkpoint_state",
        "tfedu.engine.training.checkpoint_reader": "NewCheckpointReader init_from_checkpoint list_variables load_checkpoint "
        "load_variable",
        "tfedu.engine.interop.meta_graph": "export_meta_graph", "tfedu.engine.interop.events": "summary_iterator",
        "tfedu.engine.interop.files": "write_graph", "tfedu.engine.interop.file_writer": "SummaryWriter",
    },
)
