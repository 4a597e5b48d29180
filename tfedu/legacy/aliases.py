"""The table of `tensorflow.*` paths: the namespaces of tfedu that have the names of each module of TensorFlow.

By default `tensorflow` is tfedu, and `tensorflow.math` is `tfedu.math`; TABLE has a row for each exception. The names of a
path are looked up in the namespaces of its row, in their order; `name=tf.other` overrides one name. `missing.py` explains a
path without a row, and a name that is in none of these namespaces. No state.
"""

from __future__ import annotations

import functools

# prefixes that mean the same packages
PREFIXES = {
    "tensorflow.compat.v1.": "tensorflow.",
    "tensorflow._api.v1.": "tensorflow.",
    "tensorflow_core.": "tensorflow.",
    "tensorflow.contrib.keras.python.keras": "tensorflow.keras",  # 1.0 to 1.3
    "tensorflow.contrib.keras.": "tensorflow.keras.",
    "tensorflow.python.keras.": "tensorflow.keras.",
    "tensorflow.python.data.": "tensorflow.data.",
}
ROOTS = {"tensorflow", "tensorflow_core", "tensorflow.compat.v1", "tensorflow._api.v1", "tensorflow._api"}

TABLE = """
tensorflow.contrib.tensorboard.plugins.projector    - ProjectorConfig=modules_of_contrib.contrib_projector.ProjectorConfig \
EmbeddingInfo=modules_of_contrib.contrib_projector.EmbeddingInfo \
SpriteMetadata=modules_of_contrib.contrib_projector.SpriteMetadata \
visualize_embeddings=modules_of_contrib.contrib_projector.visualize_embeddings
tensorflow.core.example.example_pb2                 tf.train
tensorflow.core.example.feature_pb2                 tf.train
tensorflow.core.framework.attr_value_pb2            modules.messages
tensorflow.core.framework.function_pb2              modules.messages
tensorflow.core.framework.graph_pb2                 modules.messages
tensorflow.core.framework.node_def_pb2              modules.messages
tensorflow.core.framework.op_def_pb2                modules.messages
tensorflow.core.framework.step_stats_pb2            modules.messages
tensorflow.core.framework.tensor_pb2                modules.messages
tensorflow.core.framework.tensor_shape_pb2          modules.messages
tensorflow.core.framework.types_pb2                 modules.messages
tensorflow.core.framework.variable_pb2              modules.messages
tensorflow.core.framework.versions_pb2              modules.messages
tensorflow.core.protobuf.control_flow_pb2           modules.messages
tensorflow.core.protobuf.meta_graph_pb2             modules.messages
tensorflow.core.protobuf.saved_model_pb2            modules.messages
tensorflow.core.protobuf.saver_pb2                  modules.messages
tensorflow.core.framework.summary_pb2               modules.messages
tensorflow.core.protobuf.config_pb2                 tf
tensorflow.core.protobuf.rewriter_config_pb2        modules.rewriter_config
tensorflow.core.util.event_pb2                      modules.messages

tensorflow.examples.tutorials.mnist.input_data      datasets.mnist
tensorflow.contrib.learn.python.learn.datasets.mnist  datasets.mnist
tensorflow.contrib.learn.python.learn.datasets      datasets.csv_datasets
tensorflow.contrib.learn.python.learn.datasets.base  datasets.csv_datasets
tensorflow.contrib.learn.datasets                   datasets.csv_datasets
tensorflow.contrib.learn.datasets.base              datasets.csv_datasets
tensorflow.contrib.learn.datasets.mnist             datasets.mnist
tensorflow.contrib.learn.preprocessing              modules_of_contrib.contrib_preprocessing
tensorflow.contrib.learn.python.learn.preprocessing  modules_of_contrib.contrib_preprocessing
tensorflow.contrib.learn.python.learn.preprocessing.categorical_vocabulary  modules_of_contrib.contrib_preprocessing
tensorflow.contrib.learn.python.learn.preprocessing.text  modules_of_contrib.contrib_preprocessing

tensorflow.contrib.checkpoint                       - CheckpointManager=tf.train.CheckpointManager \
Checkpointable=modules.checkpoint_utils.Checkpointable CheckpointableBase=modules.checkpoint_utils.Checkpointable \
CheckpointableObjectGraph=modules.messages.TrackableObjectGraph list_objects=modules.checkpoint_utils.list_objects \
object_metadata=modules.checkpoint_utils.object_metadata
tensorflow.contrib.crf                              modules_of_contrib.contrib_crf
tensorflow.contrib.crf.python.ops.crf               modules_of_contrib.contrib_crf
tensorflow.contrib.data                             modules_of_contrib.contrib_data tf.data.experimental tf.data
tensorflow.contrib.distributions                    modules_of_contrib.contrib_distributions tf.distributions
tensorflow.contrib.distributions.bijectors         modules_of_contrib.contrib_bijectors
tensorflow.contrib.distributions.python.ops.conditional_distribution  modules_of_contrib.contrib_distributions
tensorflow.contrib.distributions.python.ops.conditional_transformed_distribution  modules_of_contrib.contrib_distributions
tensorflow.contrib.distributions.python.ops.deterministic  modules_of_contrib.contrib_distributions
tensorflow.contrib.distributions.python.ops.mixture  modules_of_contrib.contrib_distributions
tensorflow.contrib.distributions.python.ops.mixture_same_family  modules_of_contrib.contrib_distributions
tensorflow.contrib.distributions.python.ops.mvn_diag  modules_of_contrib.contrib_distributions
tensorflow.contrib.distributions.python.ops.mvn_diag_plus_low_rank  modules_of_contrib.contrib_distributions
tensorflow.contrib.distributions.python.ops.mvn_full_covariance  modules_of_contrib.contrib_distributions
tensorflow.contrib.distributions.python.ops.mvn_tril  modules_of_contrib.contrib_distributions
tensorflow.python.ops.distributions.bijector        modules_of_contrib.contrib_bijectors
tensorflow.python.ops.distributions.bijector_impl   modules_of_contrib.contrib_bijectors
tensorflow.python.ops.distributions.identity_bijector  modules_of_contrib.contrib_bijectors
tensorflow.python.ops.distributions.transformed_distribution  modules_of_contrib.contrib_distributions
tensorflow.contrib.distributions.python.ops         modules_of_contrib.contrib_distributions tf.distributions
tensorflow.contrib.distributions.python.ops.bijectors  modules_of_contrib.contrib_bijectors
tensorflow.contrib.distributions.python.ops.binomial  modules_of_contrib.contrib_distributions
tensorflow.contrib.distributions.python.ops.cauchy  modules_of_contrib.contrib_distributions
tensorflow.contrib.distributions.python.ops.chi2    modules_of_contrib.contrib_distributions
tensorflow.contrib.distributions.python.ops.geometric  modules_of_contrib.contrib_distributions
tensorflow.contrib.distributions.python.ops.half_normal  modules_of_contrib.contrib_distributions
tensorflow.contrib.distributions.python.ops.independent  modules_of_contrib.contrib_distributions
tensorflow.contrib.distributions.python.ops.inverse_gamma  modules_of_contrib.contrib_distributions
tensorflow.contrib.distributions.python.ops.logistic  modules_of_contrib.contrib_distributions
tensorflow.contrib.distributions.python.ops.negative_binomial  modules_of_contrib.contrib_distributions
tensorflow.contrib.distributions.python.ops.onehot_categorical  modules_of_contrib.contrib_distributions
tensorflow.contrib.distributions.python.ops.poisson  modules_of_contrib.contrib_distributions
tensorflow.contrib.distributions.python.ops.relaxed_bernoulli  modules_of_contrib.contrib_distributions
tensorflow.contrib.distributions.python.ops.relaxed_onehot_categorical  modules_of_contrib.contrib_distributions
tensorflow.contrib.distributions.python.ops.seed_stream  modules_of_contrib.contrib_distributions
tensorflow.contrib.deprecated                       modules_of_contrib.contrib_deprecated
tensorflow.contrib.eager                            - executing_eagerly=tf.executing_eagerly Variable=tf.Variable \
enable_eager_execution=tf.enable_eager_execution custom_gradient=tf.custom_gradient TensorSpec=tf.TensorSpec \
py_func=tf.py_function function=tf.function Checkpoint=tf.train.Checkpoint in_eager_mode=tf.executing_eagerly
tensorflow.contrib.factorization                    modules_of_contrib.contrib_factorization
tensorflow.contrib.factorization.python.ops         modules_of_contrib.contrib_factorization
tensorflow.contrib.factorization.python.ops.clustering_ops  modules_of_contrib.contrib_factorization
tensorflow.contrib.framework                        modules_of_contrib.contrib_framework
tensorflow.contrib.framework.nest                   modules_of_contrib.contrib_nest
tensorflow.contrib.framework.python.framework.tensor_util  modules_of_contrib.contrib_framework
tensorflow.contrib.framework.python.ops             modules_of_contrib.contrib_framework
tensorflow.contrib.framework.python.ops.arg_scope   modules_of_contrib.contrib_framework
tensorflow.contrib.framework.python.ops.audio_ops   modules_of_contrib.contrib_audio
tensorflow.contrib.framework.python.ops.variables   modules_of_contrib.contrib_framework tf.train
tensorflow.contrib.hooks                            tf.train
tensorflow.contrib.image                            modules_of_contrib.contrib_image
tensorflow.contrib.image.python.ops.dense_image_warp  modules_of_contrib.contrib_image
tensorflow.contrib.image.python.ops.image_ops       modules_of_contrib.contrib_image
tensorflow.contrib.image.python.ops.interpolate_spline  modules_of_contrib.contrib_image
tensorflow.contrib.image.python.ops.sparse_image_warp  modules_of_contrib.contrib_image
tensorflow.contrib.keras                            tf.keras
tensorflow.contrib.saved_model                      - save_keras_model=tf.keras.experimental.export_saved_model \
load_keras_model=tf.keras.experimental.load_from_saved_model
tensorflow.contrib.keras.python                     - keras=tf.keras
tensorflow.contrib.layers                           modules_of_contrib.contrib_layers
tensorflow.contrib.layers.feature_column            modules_of_contrib.contrib_layers
tensorflow.contrib.layers.python.layers             modules_of_contrib.contrib_layers
tensorflow.contrib.layers.python.layers.embedding_ops  modules_of_contrib.contrib_layers
tensorflow.contrib.layers.python.layers.feature_column  modules_of_contrib.contrib_layers
tensorflow.contrib.layers.python.layers.feature_column_ops  modules_of_contrib.contrib_layers
tensorflow.contrib.layers.python.layers.initializers  modules_of_contrib.contrib_layers
tensorflow.contrib.layers.python.layers.layers      modules_of_contrib.contrib_layers
tensorflow.contrib.layers.python.layers.regularizers  modules_of_contrib.contrib_layers
tensorflow.contrib.layers.python.layers.target_column  modules_of_contrib.contrib_layers
tensorflow.contrib.layers.python.layers.utils       modules_of_contrib.contrib_layer_utils
tensorflow.contrib.layers.python.ops.bucketization_op  modules_of_contrib.contrib_layers
tensorflow.contrib.layers.python.ops.sparse_feature_cross_op  modules_of_contrib.contrib_layers
tensorflow.contrib.layers.summaries                 modules_of_contrib.contrib_layers
tensorflow.contrib.learn                            modules_of_contrib.contrib_learn
tensorflow.contrib.learn.python                     modules_of_contrib.contrib_learn
tensorflow.contrib.learn.python.learn               modules_of_contrib.contrib_learn
tensorflow.contrib.learn.python.learn.estimators    modules_of_contrib.contrib_learn
tensorflow.contrib.learn.python.learn.estimators.constants  modules_of_contrib.contrib_learn
tensorflow.contrib.learn.python.learn.estimators.model_fn  modules_of_contrib.contrib_learn
tensorflow.contrib.learn.python.learn.estimators.prediction_key  modules_of_contrib.contrib_learn
tensorflow.contrib.learn.python.learn.estimators.rnn_common  modules_of_contrib.contrib_learn
tensorflow.contrib.learn.python.learn.graph_actions  modules_of_contrib.contrib_learn
tensorflow.contrib.legacy_seq2seq                   modules_of_contrib.contrib_legacy_seq2seq
tensorflow.contrib.legacy_seq2seq.python.ops.seq2seq  modules_of_contrib.contrib_legacy_seq2seq
tensorflow.contrib.lookup                           modules_of_contrib.contrib_lookup
tensorflow.contrib.losses                           modules_of_contrib.contrib_losses
tensorflow.contrib.losses.python.losses             modules_of_contrib.contrib_losses
tensorflow.contrib.losses.python.losses.loss_ops    modules_of_contrib.contrib_losses
tensorflow.contrib.nn                               modules_of_contrib.contrib_nn
tensorflow.contrib.sparsemax                        modules_of_contrib.contrib_sparsemax
tensorflow.contrib.proto                            - decode_proto=tf.io.decode_proto encode_proto=tf.io.encode_proto
tensorflow.contrib.staging                          modules_of_contrib.contrib_staging
tensorflow.contrib.metrics                          modules_of_contrib.contrib_metrics
tensorflow.contrib.metrics.python.ops.metric_ops    modules_of_contrib.contrib_metrics
tensorflow.contrib.opt                              modules_of_contrib.contrib_opt
tensorflow.contrib.opt.python.training.adamax  modules_of_contrib.contrib_opt
tensorflow.contrib.opt.python.training.addsign  modules_of_contrib.contrib_opt
tensorflow.contrib.opt.python.training.external_optimizer  modules_of_contrib.contrib_opt
tensorflow.contrib.opt.python.training.lars_optimizer  modules_of_contrib.contrib_opt
tensorflow.contrib.opt.python.training.lazy_adam_optimizer  modules_of_contrib.contrib_opt
tensorflow.contrib.opt.python.training.moving_average_optimizer  modules_of_contrib.contrib_opt
tensorflow.contrib.opt.python.training.multitask_optimizer_wrapper  modules_of_contrib.contrib_opt
tensorflow.contrib.opt.python.training.nadam_optimizer  modules_of_contrib.contrib_opt
tensorflow.contrib.opt.python.training.powersign  modules_of_contrib.contrib_opt
tensorflow.contrib.opt.python.training.reg_adagrad_optimizer  modules_of_contrib.contrib_opt
tensorflow.contrib.opt.python.training.variable_clipping_optimizer  modules_of_contrib.contrib_opt
tensorflow.contrib.opt.python.training.weight_decay_optimizers  modules_of_contrib.contrib_opt
tensorflow.contrib.rnn                              modules_of_contrib.contrib_rnn
tensorflow.contrib.rnn.python.ops.core_rnn_cell     modules_of_contrib.contrib_rnn
tensorflow.contrib.rnn.python.ops.core_rnn_cell_impl  modules_of_contrib.contrib_rnn
tensorflow.contrib.rnn.python.ops.fused_rnn_cell    modules_of_contrib.contrib_rnn
tensorflow.contrib.rnn.python.ops.gru_ops           modules_of_contrib.contrib_rnn
tensorflow.contrib.rnn.python.ops.lstm_ops          modules_of_contrib.contrib_rnn
tensorflow.contrib.rnn.python.ops.rnn               modules_of_contrib.contrib_rnn
tensorflow.contrib.rnn.python.ops.rnn_cell          modules_of_contrib.contrib_rnn
tensorflow.contrib.seq2seq                          modules_of_contrib.contrib_seq2seq
tensorflow.contrib.seq2seq.python.ops.attention_wrapper  modules_of_contrib.contrib_seq2seq
tensorflow.contrib.seq2seq.python.ops.loss          modules_of_contrib.contrib_seq2seq
tensorflow.contrib.signal                           tf.signal
tensorflow.contrib.slim                             modules_of_slim.contrib_slim
tensorflow.contrib.slim.python.slim.data            modules_of_slim.contrib_slim
tensorflow.contrib.slim.python.slim.data.data_decoder modules_of_slim.contrib_slim_decoder
tensorflow.contrib.slim.python.slim.data.data_provider modules_of_slim.contrib_slim_provider
tensorflow.contrib.slim.python.slim.data.dataset    modules_of_slim.contrib_slim_dataset
tensorflow.contrib.slim.python.slim.data.dataset_data_provider modules_of_slim.contrib_slim_provider
tensorflow.contrib.slim.python.slim.data.parallel_reader modules_of_slim.contrib_slim_readers
tensorflow.contrib.slim.python.slim.data.tfexample_decoder modules_of_slim.contrib_slim_decoder
tensorflow.contrib.slim.nets                        modules_of_slim.contrib_slim_nets
tensorflow.contrib.slim.python.slim.nets            modules_of_slim.contrib_slim_nets
tensorflow.contrib.slim.python.slim.nets.inception  modules_of_slim.contrib_slim_inception
tensorflow.contrib.slim.python.slim.nets.alexnet    modules_of_slim.contrib_slim_nets.alexnet
tensorflow.contrib.slim.python.slim.nets.inception_v1 modules_of_slim.contrib_slim_nets.inception_v1
tensorflow.contrib.slim.python.slim.nets.inception_v2 modules_of_slim.contrib_slim_nets.inception_v2
tensorflow.contrib.slim.python.slim.nets.inception_v3 modules_of_slim.contrib_slim_nets.inception_v3
tensorflow.contrib.slim.python.slim.nets.overfeat   modules_of_slim.contrib_slim_nets.overfeat
tensorflow.contrib.slim.python.slim.nets.resnet_utils modules_of_slim.contrib_slim_nets.resnet_utils
tensorflow.contrib.slim.python.slim.nets.resnet_v1  modules_of_slim.contrib_slim_nets.resnet_v1
tensorflow.contrib.slim.python.slim.nets.resnet_v2  modules_of_slim.contrib_slim_nets.resnet_v2
tensorflow.contrib.slim.python.slim.nets.vgg        modules_of_slim.contrib_slim_nets.vgg
tensorflow.contrib.slim.python.slim.evaluation      modules_of_slim.contrib_slim_evaluation
tensorflow.contrib.slim.python.slim.learning        modules_of_slim.contrib_slim_learning
tensorflow.contrib.slim.python.slim.model_analyzer  modules_of_slim.contrib_slim_analyzer
tensorflow.contrib.slim.python.slim.data.prefetch_queue  modules_of_slim.contrib_slim_prefetch
tensorflow.contrib.slim.python.slim.queues          modules_of_slim.contrib_slim_queues
tensorflow.contrib.stateless                        - stateless_random_normal=tf.random.stateless_normal \
stateless_random_uniform=tf.random.stateless_uniform stateless_truncated_normal=tf.random.stateless_truncated_normal \
stateless_multinomial=tf.random.stateless_multinomial
tensorflow.contrib.summary                          modules_of_contrib.contrib_summary
tensorflow.contrib.summary.summary                  modules_of_contrib.contrib_summary
tensorflow.contrib.training                         modules_of_contrib.contrib_training
tensorflow.contrib.training.python.training.device_setter  modules_of_contrib.contrib_training
tensorflow.contrib.training.python.training.evaluation  modules_of_contrib.contrib_training
tensorflow.contrib.training.python.training.hparam  modules_of_contrib.contrib_training
tensorflow.contrib.training.python.training.hparam_pb2  modules_of_contrib.contrib_training
tensorflow.contrib.training.python.training.training  modules_of_contrib.contrib_training
tensorflow.contrib.util                             - make_tensor_proto=tf.make_tensor_proto make_ndarray=tf.make_ndarray \
constant_value=tf.get_static_value ops_used_by_graph_def=modules_of_contrib.contrib_util.ops_used_by_graph_def \
stripped_op_list_for_graph=modules_of_contrib.contrib_util.stripped_op_list_for_graph

tensorflow.python                                   tf
tensorflow.python.client                            tf
tensorflow.python.client.device_lib                 modules.device_lib
tensorflow.python.client.session                    tf BaseSession=tf.Session
tensorflow.python.client.timeline                   modules.client_timeline
tensorflow.python.debug                             tf.profiler
tensorflow.python.estimator                         tf.estimator
tensorflow.python.estimator.estimator               tf.estimator
tensorflow.python.estimator.export.export           tf.estimator.export
tensorflow.python.estimator.inputs                  tf.estimator.inputs
tensorflow.python.estimator.inputs.numpy_io         tf.estimator.inputs
tensorflow.python.estimator.inputs.queues.feeding_functions  tf.estimator.inputs
tensorflow.python.estimator.model_fn                tf.estimator ModeKeys=tf.estimator.ModeKeys
tensorflow.python.feature_column                    tf.feature_column
tensorflow.python.feature_column.dense_features     tf.keras.layers
tensorflow.python.feature_column.feature_column     tf.feature_column
tensorflow.python.feature_column.feature_column_lib  tf.feature_column tf.keras.layers
tensorflow.python.feature_column.feature_column_v2  tf.feature_column
tensorflow.python.feature_column.sequence_feature_column  tf.feature_column tf.keras.experimental
tensorflow.python.framework                         tf
tensorflow.python.framework.common_shapes           tf
tensorflow.python.framework.constant_op             tf
tensorflow.python.framework.device                  tf
tensorflow.python.framework.dtypes                  tf.dtypes tf
tensorflow.python.framework.errors                  tf.errors
tensorflow.python.framework.errors_impl             tf.errors
tensorflow.python.framework.function                tf Defun=tf.contrib.framework.Defun
tensorflow.python.framework.graph_io                tf.train
tensorflow.python.framework.graph_util              tf.graph_util
tensorflow.python.framework.graph_util_impl         tf.graph_util
tensorflow.python.framework.importer                tf
tensorflow.python.framework.load_library            tf
tensorflow.python.framework.meta_graph              modules_of_contrib.contrib_util tf.train
tensorflow.python.framework.op_def_library          tf
tensorflow.python.framework.ops                     tf reset_default_graph=tf.reset_default_graph
tensorflow.python.framework.random_seed             tf set_random_seed=tf.set_random_seed
tensorflow.python.framework.smart_cond              modules.control_flow_ops
tensorflow.python.framework.sparse_tensor           tf
tensorflow.python.framework.tensor_shape            tf scalar=modules.tensor_shape.scalar vector=modules.tensor_shape.vector \
matrix=modules.tensor_shape.matrix unknown_shape=modules.tensor_shape.unknown_shape as_shape=modules.tensor_shape.as_shape \
as_dimension=modules.tensor_shape.as_dimension
tensorflow.python.framework.tensor_util             tf constant_value=tf.get_static_value MakeNdarray=tf.make_ndarray
tensorflow.python.framework.test_util               tf.test TensorFlowTestCase=tf.test.TestCase \
run_deprecated_v1=modules.decorators.unchanged run_v1_only=modules.decorators.unchanged_because \
run_in_graph_and_eager_modes=modules.decorators.unchanged deprecated_graph_mode_only=modules.decorators.unchanged
tensorflow.python.framework.versions                tf.version tf
tensorflow.python.keras.callbacks_v1                tf.keras.callbacks
tensorflow.python.keras.engine                      tf.keras.layers tf.keras.models
tensorflow.python.keras.engine.base_layer           tf.keras.layers
tensorflow.python.keras.engine.input_layer          tf.keras.layers
tensorflow.python.keras.engine.input_spec           tf.keras.layers
tensorflow.python.keras.engine.sequential           tf.keras.models
tensorflow.python.keras.engine.training             tf.keras.models
tensorflow.python.keras.layers.advanced_activations  tf.keras.layers
tensorflow.python.keras.layers.convolutional        tf.keras.layers
tensorflow.python.keras.layers.convolutional_recurrent  tf.keras.layers
tensorflow.python.keras.layers.core                 tf.keras.layers
tensorflow.python.keras.layers.dense_attention      tf.keras.layers
tensorflow.python.keras.layers.embeddings           tf.keras.layers
tensorflow.python.keras.layers.local                tf.keras.layers
tensorflow.python.keras.layers.merge                tf.keras.layers
tensorflow.python.keras.layers.noise                tf.keras.layers
tensorflow.python.keras.layers.normalization        tf.keras.layers
tensorflow.python.keras.layers.pooling              tf.keras.layers
tensorflow.python.keras.layers.recurrent            tf.keras.layers
tensorflow.python.keras.layers.wrappers             tf.keras.layers
tensorflow.python.keras.optimizer_v2                tf.keras.optimizers
tensorflow.python.keras.optimizer_v2.adadelta       tf.keras.optimizers
tensorflow.python.keras.optimizer_v2.adagrad        tf.keras.optimizers
tensorflow.python.keras.optimizer_v2.adam           tf.keras.optimizers
tensorflow.python.keras.optimizer_v2.adamax         tf.keras.optimizers
tensorflow.python.keras.optimizer_v2.ftrl           tf.keras.optimizers
tensorflow.python.keras.optimizer_v2.gradient_descent  tf.keras.optimizers
tensorflow.python.keras.optimizer_v2.learning_rate_schedule  tf.keras.optimizers.schedules
tensorflow.python.keras.optimizer_v2.nadam          tf.keras.optimizers
tensorflow.python.keras.optimizer_v2.rmsprop        tf.keras.optimizers
tensorflow.python.keras.saving.hdf5_format          tf.keras.models
tensorflow.python.keras.saving.save                 tf.keras.models
tensorflow.python.keras.utils.data_utils            tf.keras.utils
tensorflow.python.keras.utils.generic_utils         tf.keras.utils
tensorflow.python.keras.utils.io_utils              tf.keras.utils
tensorflow.python.keras.utils.layer_utils           tf.keras.utils
tensorflow.python.keras.utils.multi_gpu_utils       tf.keras.utils
tensorflow.python.keras.utils.np_utils              tf.keras.utils
tensorflow.python.keras.utils.vis_utils             tf.keras.utils
tensorflow.python.layers                            tf.layers
tensorflow.python.layers.base                       tf.layers tf.layers.experimental
tensorflow.python.layers.convolutional              tf.layers Convolution1D=tf.layers.Conv1D \
Convolution2D=tf.layers.Conv2D Convolution3D=tf.layers.Conv3D SeparableConvolution2D=tf.layers.SeparableConv2D \
Convolution2DTranspose=tf.layers.Conv2DTranspose Deconvolution2D=tf.layers.Conv2DTranspose Deconv2D=tf.layers.Conv2DTranspose \
Convolution3DTranspose=tf.layers.Conv3DTranspose Deconvolution3D=tf.layers.Conv3DTranspose Deconv3D=tf.layers.Conv3DTranspose \
convolution1d=tf.layers.conv1d convolution2d=tf.layers.conv2d convolution3d=tf.layers.conv3d \
separable_convolution2d=tf.layers.separable_conv2d convolution2d_transpose=tf.layers.conv2d_transpose \
deconvolution2d=tf.layers.conv2d_transpose deconv2d=tf.layers.conv2d_transpose \
convolution3d_transpose=tf.layers.conv3d_transpose deconvolution3d=tf.layers.conv3d_transpose deconv3d=tf.layers.conv3d_transpose
tensorflow.python.layers.core                       tf.layers FullyConnected=tf.layers.Dense fully_connected=tf.layers.dense
tensorflow.python.layers.layers                     tf.layers
tensorflow.python.layers.normalization              tf.layers BatchNorm=tf.layers.BatchNormalization \
batch_norm=tf.layers.batch_normalization
tensorflow.python.layers.pooling                    tf.layers MaxPool2D=tf.layers.MaxPooling2D \
AvgPool2D=tf.layers.AveragePooling2D max_pool2d=tf.layers.max_pooling2d avg_pool2d=tf.layers.average_pooling2d
tensorflow.python.layers.utils                      modules.layer_utils smart_cond=modules.control_flow_ops.smart_cond \
constant_value=modules.control_flow_ops.smart_constant_value
tensorflow.python.lib.io.file_io                    tf.io.gfile FileIO=tf.gfile.GFile file_exists=tf.io.gfile.exists \
recursive_create_dir=tf.io.gfile.makedirs create_dir=tf.io.gfile.mkdir delete_file=tf.io.gfile.remove \
delete_recursively=tf.io.gfile.rmtree get_matching_files=tf.io.gfile.glob is_directory=tf.io.gfile.isdir \
list_directory=tf.io.gfile.listdir read_file_to_string=modules.file_io.read_file_to_string \
write_string_to_file=modules.file_io.write_string_to_file
tensorflow.python.lib.io.python_io                  tf.python_io
tensorflow.python.lib.io.tf_record                  tf.python_io
tensorflow.python.ops                               tf
tensorflow.python.ops.constant_op                   tf
tensorflow.python.ops.array_ops                     tf
tensorflow.python.ops.bitwise_ops                   tf.bitwise
tensorflow.python.ops.check_ops                     tf tf.debugging
tensorflow.python.ops.clip_ops                      tf
tensorflow.python.ops.control_flow_ops              tf modules.control_flow_ops
tensorflow.python.ops.ctc_ops                       tf.nn
tensorflow.python.ops.data_flow_ops                 tf modules.data_flow_ops
tensorflow.python.ops.distributions.bernoulli       tf.distributions
tensorflow.python.ops.distributions.beta            tf.distributions modules_of_contrib.contrib_distributions
tensorflow.python.ops.distributions.categorical     tf.distributions
tensorflow.python.ops.distributions.dirichlet       tf.distributions
tensorflow.python.ops.distributions.dirichlet_multinomial  tf.distributions
tensorflow.python.ops.distributions.distribution    tf.distributions
tensorflow.python.ops.distributions.distributions   tf.distributions
tensorflow.python.ops.distributions.exponential     tf.distributions modules_of_contrib.contrib_distributions
tensorflow.python.ops.distributions.gamma           tf.distributions modules_of_contrib.contrib_distributions
tensorflow.python.ops.distributions.kullback_leibler  tf.distributions
tensorflow.python.ops.distributions.laplace         tf.distributions modules_of_contrib.contrib_distributions
tensorflow.python.ops.distributions.multinomial     tf.distributions
tensorflow.python.ops.distributions.normal          tf.distributions modules_of_contrib.contrib_distributions
tensorflow.python.ops.distributions.student_t       tf.distributions modules_of_contrib.contrib_distributions
tensorflow.python.ops.distributions.uniform         tf.distributions
tensorflow.python.ops.embedding_ops                 tf.nn
tensorflow.python.ops.functional_ops                tf
tensorflow.python.ops.gradients                     tf
tensorflow.python.ops.gradients_impl                tf
tensorflow.python.ops.histogram_ops                 tf
tensorflow.python.ops.image_ops                     tf.image
tensorflow.python.ops.init_ops                      tf tf.initializers Zeros=tf.zeros_initializer Ones=tf.ones_initializer \
Constant=tf.constant_initializer RandomNormal=tf.random_normal_initializer RandomUniform=tf.random_uniform_initializer \
TruncatedNormal=tf.truncated_normal_initializer VarianceScaling=tf.variance_scaling_initializer \
Orthogonal=tf.orthogonal_initializer
tensorflow.python.ops.io_ops                        tf tf.io
tensorflow.python.ops.linalg_ops                    tf tf.linalg
tensorflow.python.ops.linalg.linalg                 tf.linalg
tensorflow.python.ops.logging_ops                   tf
tensorflow.python.ops.lookup_ops                    modules_of_contrib.contrib_lookup tf.lookup \
tables_initializer=tf.tables_initializer
tensorflow.python.ops.losses.losses                 tf.losses
tensorflow.python.ops.losses.losses_impl            tf.losses
tensorflow.python.ops.math_ops                      tf tf.math
tensorflow.python.ops.metrics                       tf.metrics
tensorflow.python.ops.metrics_impl                  tf.metrics
tensorflow.python.ops.nn                            tf.nn
tensorflow.python.ops.nn_impl                       tf.nn
tensorflow.python.ops.nn_ops                        tf.nn
tensorflow.python.ops.numerics                      tf
tensorflow.python.ops.parsing_ops                   tf tf.io
tensorflow.python.ops.partitioned_variables         tf
tensorflow.python.ops.random_ops                    tf tf.random
tensorflow.python.ops.resource_variable_ops         tf ResourceVariable=modules.private_variables.ResourceVariable
tensorflow.python.ops.resources                     modules.resource_ops
tensorflow.python.ops.rnn                           modules_of_contrib.contrib_rnn tf.nn rnn=tf.nn.static_rnn \
_transpose_batch_time=modules_of_contrib.contrib_rnn.transpose_batch_time
tensorflow.python.ops.rnn_cell                      modules_of_contrib.contrib_rnn
tensorflow.python.ops.rnn_cell_impl                 modules_of_contrib.contrib_rnn
tensorflow.python.ops.script_ops                    tf
tensorflow.python.ops.session_ops                   tf
tensorflow.python.ops.sets                          tf.sets
tensorflow.python.ops.sparse_ops                    tf tf.sparse
tensorflow.python.ops.special_math_ops              tf tf.math
tensorflow.python.ops.standard_ops                  tf
tensorflow.python.ops.state_ops                     tf
tensorflow.python.ops.string_ops                    tf tf.strings
tensorflow.python.ops.summary_ops                   tf.summary
tensorflow.python.ops.template                      tf
tensorflow.python.ops.tensor_array_ops              tf modules.control_flow_ops
tensorflow.python.ops.variable_scope                tf variable=tf.Variable
tensorflow.python.ops.variables                     tf
tensorflow.python.platform                          tf flags=tf.flags tf_logging=tf.logging
tensorflow.python.platform.app                      tf.app
tensorflow.python.platform.flags                    tf.flags
tensorflow.python.platform.gfile                    tf.gfile
tensorflow.python.platform.googletest               tf.test GetTempDir=tf.test.get_temp_dir
tensorflow.python.platform.resource_loader          tf.resource_loader
tensorflow.python.platform.sysconfig                tf.sysconfig
tensorflow.python.platform.test                     tf.test
tensorflow.python.platform.tf_logging               tf.logging
tensorflow.python.profiler                          tf.profiler
tensorflow.python.pywrap_tensorflow                 tf.train NewCheckpointReader=tf.train.NewCheckpointReader
tensorflow.python.saved_model                       tf.saved_model
tensorflow.python.saved_model.builder               tf.saved_model.builder
tensorflow.python.saved_model.builder_impl          tf.saved_model.builder
tensorflow.python.saved_model.constants             tf.saved_model.constants
tensorflow.python.saved_model.loader                tf.saved_model.loader tf.saved_model
tensorflow.python.saved_model.loader_impl           tf.saved_model.loader tf.saved_model
tensorflow.python.saved_model.main_op               tf.saved_model.main_op
tensorflow.python.saved_model.simple_save           tf.saved_model
tensorflow.python.saved_model.signature_constants   tf.saved_model.signature_constants tf.saved_model
tensorflow.python.saved_model.signature_def_utils   tf.saved_model.signature_def_utils
tensorflow.python.saved_model.signature_def_utils_impl  tf.saved_model.signature_def_utils
tensorflow.python.saved_model.tag_constants         tf.saved_model.tag_constants tf.saved_model
tensorflow.python.saved_model.utils                 tf.saved_model.utils
tensorflow.python.saved_model.utils_impl            tf.saved_model.utils
tensorflow.python.summary                           tf.summary
tensorflow.python.summary.summary                   tf.summary
tensorflow.python.summary.summary_iterator          tf.train
tensorflow.python.summary.writer.writer             tf.summary
tensorflow.python.summary.writer.writer_cache       tf.summary
tensorflow.python.summary.event_accumulator         tf.summary
tensorflow.python.tools.freeze_graph                modules.graph_freezing
tensorflow.python.tools.inspect_checkpoint          tf.train modules.checkpoint_utils
tensorflow.python.training                          tf.train
tensorflow.python.training.adam                     tf.train
tensorflow.python.training.basic_session_run_hooks  tf.train
tensorflow.python.training.checkpoint_management    tf.train modules.checkpoint_utils
tensorflow.python.training.checkpoint_state_pb2     modules.messages
tensorflow.python.training.checkpoint_utils         tf.train
tensorflow.python.training.coordinator              tf.train
tensorflow.python.training.device_setter            tf.train
tensorflow.python.training.evaluation               - _evaluate_once=modules_of_contrib.contrib_training.evaluate_once \
_StopAfterNEvalsHook=modules_of_contrib.contrib_training.StopAfterNEvalsHook \
_get_or_create_eval_step=modules_of_contrib.contrib_training.get_or_create_eval_step
tensorflow.python.training.gradient_descent         tf.train
tensorflow.python.training.input                    tf.train
tensorflow.python.training.learning_rate_decay      tf.train
tensorflow.python.training.momentum                 tf.train
tensorflow.python.training.monitored_session        tf.train
tensorflow.python.training.moving_averages          tf.train assign_moving_average=modules.private_variables.assign_moving_average
tensorflow.python.training.optimizer                tf.train
tensorflow.python.training.queue_runner             tf.train
tensorflow.python.training.queue_runner_impl        tf.train
tensorflow.python.training.saver                    tf.train modules.checkpoint_utils
tensorflow.python.training.saving.saveable_object   modules.checkpoint_utils
tensorflow.python.training.session_manager          tf.train
tensorflow.python.training.session_run_hook         tf.train
tensorflow.python.training.slot_creator             modules.private_variables
tensorflow.python.training.summary_io               tf.train SummaryWriter=tf.summary.FileWriter \
SummaryWriterCache=tf.summary.FileWriterCache
tensorflow.python.training.supervisor               tf.train
tensorflow.python.training.training                 tf.train
tensorflow.python.training.training_util            tf.train
tensorflow.python.user_ops.user_ops                 tf.user_ops
tensorflow.python.util.compat                       tf.compat
tensorflow.python.util.deprecation                  modules.decorators
tensorflow.python.util.nest                         modules_of_contrib.contrib_nest
tensorflow.python.util.tf_export                    modules.decorators
tensorflow.python.control_flow_ops                  tf modules.control_flow_ops
tensorflow.python.graph_util                        tf.graph_util
"""


class Row:
    """One row: the path, the namespaces of its names, and the names that are elsewhere."""

    __slots__ = ("path", "names", "spaces")

    def __init__(self, line: str) -> None:
        self.path, *rest = line.split()
        self.spaces = tuple(_place(word) for word in rest if "=" not in word and word != "-")
        self.names = {name: _place(place) for name, _, place in (word.partition("=") for word in rest if "=" in word)}


def _place(word: str) -> str:
    """A name of the table as a path below `tf`: the table omits the package of `modules` and `datasets`."""
    return f"tf.legacy.{word}" if word.startswith(("modules.", "modules_of_contrib.", "modules_of_slim.", "datasets.")) else word


@functools.cache
def rows() -> dict[str, Row]:
    """The table: path -> row."""
    lines = TABLE.replace("\\\n", " ").splitlines()
    return {row.path: row for row in map(Row, filter(str.strip, lines))}


def _has_row(path: str) -> bool:
    """Whether the table has a row for a path or for what is above it."""
    parts = path.split(".")
    return any(".".join(parts[:cut]) in rows() for cut in range(len(parts), 0, -1))


def plain(path: str) -> str:
    """The shortest path of the same module: `tensorflow.compat.v1.nn` is `tensorflow.nn`."""
    if path in ROOTS:
        return "tensorflow"
    if path in rows() or (path.startswith("tensorflow.python.keras.") and _has_row(path)):
        return path
    for prefix, other in PREFIXES.items():
        if path.startswith(prefix):
            return plain(other + path.removeprefix(prefix))
    return path


def places(path: str) -> list[str]:
    """The names in tfedu that a path may mean, the most likely first: `tensorflow.python.ops.nn.relu` -> ["tf.nn.relu"].

    Without a row, `tensorflow.x.y` is `tf.x.y`.
    """
    path = plain(path)
    if path == "tensorflow":
        return ["tf"]
    candidates = []
    parts = path.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        row = rows().get(".".join(parts[:cut]))
        if row is not None:
            rest = ".".join(parts[cut:])
            name, dot, inside = rest.partition(".")
            if name in row.names:
                candidates.append(row.names[name] + dot + inside)
            candidates += [f"{space}.{rest}" for space in row.spaces]
            break
    public = "tf" + path.removeprefix("tensorflow")
    if public not in candidates:
        candidates.append(public)
    return candidates
